import { Panel } from '../ui/panel.tsx';
import type { OpenApi, Operation } from './open-api.ts';
import { resolve } from './open-api.ts';
import { ParametersTable } from './parameters-table.tsx';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';
import { Responses } from './responses.tsx';
import { TryIt } from './try-it.tsx';

interface Props {
  document: OpenApi;
  path: string;
  method: string;
  operation: Operation;
}

export function Endpoint({ document, path, method, operation }: Props) {
  const { operationId, summary, description, parameters = [] } = operation;
  const resolved = parameters.map((parameter) => resolve(document, parameter));
  const required = new Set(requiredInBody(document, operation));
  const all = resolved.map((parameter) => ({
    ...parameter,
    required: parameter.required || required.has(parameter.name),
  }));
  return (
    <div id={operationId} className={styles.endpoint}>
      <Panel
        title={summary ?? path}
        aside={
          <span className={styles.address}>
            <span className={styles.method} data-method={method}>
              {method}
            </span>
            <span className="mono">{path}</span>
          </span>
        }
      >
        {description !== undefined && <Prose text={description} />}
        <ParametersTable document={document} parameters={all} />
        <TryIt path={path} method={method} parameters={all} />
        <Responses document={document} responses={operation.responses} />
      </Panel>
    </div>
  );
}

/**
 * Returns the required body fields. If a parameter can be sent in the query or in the body, the document marks it as
 * required only in the body.
 */
function requiredInBody(document: OpenApi, { requestBody }: Operation): string[] {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
  return schema === undefined ? [] : (resolve(document, schema).required ?? []);
}

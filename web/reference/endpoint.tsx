import { Panel } from '../ui/panel.tsx';
import { type OpenApi, type Operation, type Parameter, resolve, type Schema } from './open-api.ts';
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
  const { properties = {}, required = [] } = bodyOf(document, operation);
  const names = new Set(['access_token', ...resolved.map(({ name }) => name)]);
  const onlyInBody = Object.entries(properties)
    .filter(([name]) => !names.has(name))
    .map(([name, schema]): Parameter => {
      const { description = '' } = resolve(document, schema);
      return { name, in: 'body', description, schema };
    });
  const all = [...resolved, ...onlyInBody].map((parameter) => ({
    ...parameter,
    // The document marks a parameter that can be in the query or in the body as required only in the body.
    required: parameter.required || required.includes(parameter.name),
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

/** Returns the schema of the body; an empty one if there is no body. */
function bodyOf(document: OpenApi, { requestBody }: Operation): Schema {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
  return schema === undefined ? {} : resolve(document, schema);
}

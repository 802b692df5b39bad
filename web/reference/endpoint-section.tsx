import { type ReactNode, useMemo } from 'react';
import { inputOf, resultOf } from './call-input.ts';
import { EndpointErrors } from './endpoint-errors.tsx';
import { ExampleCard } from './example-card.tsx';
import { FieldList } from './field-list.tsx';
import type { Endpoint } from './groups.ts';
import { Heading } from './heading.tsx';
import { Method } from './method.tsx';
import type { Parameter } from './open-api.ts';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';
import { useReference } from './reference-context.ts';
import { SampleCard } from './sample-card.tsx';
import { TryIt } from './try-it.tsx';
import { TypeName } from './type-name.tsx';

/** An endpoint: what it does, takes and returns, with a sample and an example of the response beside it. */
export function EndpointSection({ endpoint }: { endpoint: Endpoint }) {
  const { api, document } = useReference();
  const { path, method, operation } = endpoint;
  const { operationId, summary, description = '' } = operation;
  const { parameters, readOnly, deprecated, headers, line } = useMemo(
    () => inputOf(document, operation),
    [document, operation],
  );
  const result = useMemo(() => resultOf(document, operation), [document, operation]);
  const title = `${operationId}-title`;
  return (
    <section id={operationId} className={styles.endpoint} aria-labelledby={title}>
      <div className={styles.columns}>
        <div className={styles.docs}>
          <h2 id={title}>
            <Heading id={operationId}>{summary ?? operationId}</Heading>
          </h2>
          <p className={styles.address}>
            <Method name={method} />
            <span className="mono">{new URL(api.url).pathname + path}</span>
          </p>
          <Prose text={description} />
          {parameters.length > 0 && (
            <>
              <h3 className={styles.heading}>Parameters</h3>
              <FieldList anchor={operationId} fields={parameters.map(shown)} />
            </>
          )}
          {line !== null && (
            <>
              <h3 className={styles.heading}>Post data</h3>
              <p>
                A JSON array, or one JSON object in each line (NDJSON), of{' '}
                <code>
                  <TypeName schema={line} />
                </code>
                .
              </p>
            </>
          )}
          <Folded label={`Headers (${headers.length})`} isEmpty={headers.length === 0}>
            <FieldList anchor={operationId} fields={headers} />
          </Folded>
          <Folded label={`Read-only fields (${readOnly.length})`} isEmpty={readOnly.length === 0}>
            <FieldList anchor={operationId} fields={readOnly} />
          </Folded>
          <Folded label={`Deprecated parameters (${deprecated.length})`} isEmpty={deprecated.length === 0}>
            <FieldList anchor={operationId} fields={deprecated} />
          </Folded>
          <h3 className={styles.heading}>Returns</h3>
          {result.schema !== undefined && (
            <p className={styles.returns}>
              <TypeName schema={result.schema} />
            </p>
          )}
          <Prose text={result.description} />
          <EndpointErrors operation={operation} />
          {api.hasForms && <TryIt path={path} method={method} parameters={[...parameters, ...headers]} />}
        </div>
        <div className={styles.code}>
          <SampleCard endpoint={endpoint} />
          <ExampleCard status={result.status} examples={result.examples} operationId={operationId} />
        </div>
      </div>
    </section>
  );
}

interface FoldedProps {
  label: string;
  isEmpty: boolean;
  children: ReactNode;
}

/** Details that most readers do not need. */
function Folded({ label, isEmpty, children }: FoldedProps) {
  if (isEmpty) return null;
  return (
    <details className={styles.folded}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}

/** Most parameters can be in the query or in post data. */
function shown({ in: place, ...parameter }: Parameter) {
  return place === 'path' || place === 'body'
    ? { ...parameter, place: place === 'path' ? 'in the path' : 'only in post data' }
    : parameter;
}

import { useState } from 'react';
import { CodeBlock } from '../ui/code-block.tsx';
import { FieldsTable } from './fields-table.tsx';
import { type OpenApi, type Reference, type Response, resolve, typeLabel } from './open-api.ts';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';

/** All statuses with their descriptions. Clicking a status shows its fields and examples. */
export function Responses({
  document,
  responses,
}: {
  document: OpenApi;
  responses: Record<string, Response | Reference>;
}) {
  return (
    <>
      <h3 className={styles.heading}>Responses</h3>
      {Object.entries(responses).map(([status, reference]) => (
        <ResponseDetails
          key={status}
          document={document}
          status={status}
          response={resolve(document, reference)}
        />
      ))}
    </>
  );
}

interface DetailsProps {
  document: OpenApi;
  status: string;
  response: Response;
}

/** Renders its fields and examples only while it is open: the closed ones would be most of the page. */
function ResponseDetails({ document, status, response: { description, content = {} } }: DetailsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const json = content['application/json'];
  return (
    <details className={styles.response} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles.status} data-class={status[0]}>
          {status}
        </span>
        <span>{firstSentence(description)}</span>
      </summary>
      {isOpen && (
        <div className={styles.responseBody}>
          {firstSentence(description) !== description && <Prose text={description} />}
          {json?.schema !== undefined && (
            <>
              <p className="small">
                Body: <strong>{typeLabel(document, json.schema)}</strong>
              </p>
              <FieldsTable document={document} schema={json.schema} />
            </>
          )}
          {Object.entries(json?.examples ?? {}).map(([name, { summary, value }]) => (
            <div key={name}>
              <p className="muted small">{summary ?? name.replaceAll('_', ' ')}</p>
              <CodeBlock
                text={JSON.stringify(value, null, 2)}
                label={`example ${name}, status ${status}`}
                tall
              />
            </div>
          ))}
        </div>
      )}
    </details>
  );
}

function firstSentence(text: string): string {
  return (/^.*?[.:](?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll(/[`*]/g, '').replace(/:$/, '.');
}

import { useFormats } from '../format/use-formats.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import type { ApiResponse } from './api-request.ts';
import styles from './reference.module.css';

/** In characters; longer responses make the page slow. */
const MAX_SHOWN = 60_000;

export function ResponseView({
  response: { status, statusText, milliseconds, headers, body },
}: {
  response: ApiResponse;
}) {
  const { whole } = useFormats();
  return (
    <section className={styles.received} aria-label="Response">
      <p role="status" className={styles.receivedHeader}>
        <strong>Response</strong>
        <span className={styles.status} data-class={String(status)[0]}>
          {status} {statusText}
        </span>
        <span className="muted small numbers">{whole(Math.round(milliseconds))} ms</span>
      </p>
      <details>
        <summary className="small">Headers ({headers.length})</summary>
        <dl className={styles.headers}>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <CodeBlock
        text={body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}\n…` : body}
        label="response body"
        tall
      />
    </section>
  );
}

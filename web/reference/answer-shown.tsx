import { CodeBlock } from '../feedback/code-block.tsx';
import { useFormats } from '../format/use-formats.ts';
import styles from './reference.module.css';
import type { Answer } from './trial.ts';

/** More would make the page slow, and nobody reads it here. */
const MOST_SHOWN = 60_000;

export function AnswerShown({
  answer: { status, statusText, milliseconds, headers, body },
}: {
  answer: Answer;
}) {
  const { whole } = useFormats();
  return (
    <section className={styles.answer} aria-label="The answer">
      <p role="status" className={styles.answerHead}>
        <strong>The answer</strong>
        <span className={styles.status} data-class={String(status)[0]}>
          {status} {statusText}
        </span>
        <span className="soft small numbers">{whole(Math.round(milliseconds))} ms</span>
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
        text={body.length > MOST_SHOWN ? `${body.slice(0, MOST_SHOWN)}\n…` : body}
        what="the body of the answer"
        tall
      />
    </section>
  );
}

import type { LastAttempt } from '../../src/console/console-api.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import styles from './webhooks.module.css';

/** How a receiver responded to an attempt. */
export function AttemptResult({ attempt }: { attempt: LastAttempt }) {
  const { status, error, duration_ms: duration, response } = attempt;
  return (
    <div className={styles.attempt}>
      <p>
        {status === null ? capitalize(error ?? 'no response') : `Status ${status}`} ({duration} ms)
      </p>
      {response !== null && response !== '' && <CodeBlock text={response} label="response" tall />}
    </div>
  );
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

import type { FailedRequest } from '../../src/console/catalog-api.ts';
import { Ago } from '../format/ago.tsx';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { adviceFor } from './advice.ts';
import styles from './requests.module.css';

/** A failed request: its status and path, and on demand why it failed and what to do. */
export function FailureEntry({ request, isOpen }: { request: FailedRequest; isOpen: boolean }) {
  const { time } = useFormats();
  const { at, key, client, method, path, parameters, status, message, request_id: requestId } = request;
  return (
    <li className={styles.entry}>
      <details open={isOpen}>
        <summary>
          <Chip tone={status >= 500 ? 'bad' : 'warn'}>{status}</Chip>
          <span className={styles.path}>
            {method} {path}
          </span>
          <span className={`muted small ${styles.message}`}>{message}</span>
          <Ago at={at} className="muted small" />
        </summary>
        <div className={styles.detail}>
          <p className={styles.advice}>
            <strong>What to do:</strong> {adviceFor(request)}
          </p>
          <dl className="facts">
            <dt>Time</dt>
            <dd>{time(at)}</dd>
            <dt>Key</dt>
            <dd>{key}</dd>
            <dt>Client</dt>
            <dd>{client ?? 'Unknown'}</dd>
            <dt>Parameters</dt>
            <dd>{parameters.length === 0 ? 'None' : parameters.join(', ')}</dd>
            <dt>Request ID</dt>
            <dd>
              <span className="mono">{requestId}</span>{' '}
              <CopyButton value={requestId} label="the request ID" />
            </dd>
          </dl>
        </div>
      </details>
    </li>
  );
}

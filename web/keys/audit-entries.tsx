import type { AuditEntry } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { auditWords } from './audit-words.ts';
import styles from './keys.module.css';

/** Who did what and when. */
export function AuditEntries({ entries }: { entries: AuditEntry[] }) {
  const { time, ago } = useFormats();
  return (
    <ul className={styles.entries}>
      {entries.map(({ id, at, who, action, subject }) => (
        <li key={id} className={styles.entry}>
          <span>
            {auditWords[action] ?? action}
            {subject !== null && ': '}
            <span className={styles.subject}>{subject}</span>
          </span>
          <span className="soft small">
            {who},{' '}
            <time dateTime={at} title={time(at)}>
              {ago(at)}
            </time>
          </span>
        </li>
      ))}
    </ul>
  );
}

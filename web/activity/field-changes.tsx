import { useState } from 'react';
import { useFormats } from '../format/use-formats.ts';
import styles from './activity.module.css';
import type { ReadableChange } from './change-words.ts';

/** How many changes are shown at first. */
const FEW = 6;

/** The values of changed fields, before and after. */
export function FieldChanges({ changes }: { changes: readonly ReadableChange[] }) {
  const { whole } = useFormats();
  const [showsAll, setShowsAll] = useState(false);
  // One more takes no more room than a button for it.
  const shown = showsAll || changes.length <= FEW + 1 ? changes : changes.slice(0, FEW);
  if (changes.length === 0) return null;
  return (
    <ul className={styles.changes}>
      {shown.map(({ key, label, from, to }) => (
        <li key={key}>
          {label === undefined ? (
            to
          ) : (
            <>
              <span className="muted">{label}:</span> <del>{from}</del> <span aria-hidden="true">→</span>{' '}
              <ins>{to}</ins>
            </>
          )}
        </li>
      ))}
      {shown.length < changes.length && (
        <li>
          <button type="button" className="text-button" onClick={() => setShowsAll(true)}>
            Show {whole(changes.length - shown.length)} more
          </button>
        </li>
      )}
    </ul>
  );
}

import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { IconArrowBackUp, IconHandStop } from '../ui/icons.ts';
import styles from './imports.module.css';

/** What an undo returns and leaves alone, or has returned and left alone. */
export function UndoOutcome({ upload }: { upload: ConsoleImport }) {
  const { count } = useFormats();
  const { state, summary, rejections, more_rejections: hasMore } = upload;
  if (state === 'canceled' && !upload.can_undo) return <p>Nothing was changed.</p>;
  const returning = summary?.updated ?? 0;
  const subject = hasMore
    ? `Fields of ${count(summary?.rejected ?? 0, 'product')}`
    : count(rejections.length, 'field');
  const isOne = rejections.length === 1;
  return (
    <>
      <ul className={styles.outcome}>
        <li>
          <IconArrowBackUp size={20} />
          <span>
            <strong>{returning === 0 ? 'No product' : count(returning, 'product')}</strong>{' '}
            {returnWords(returning < 2, state === 'checked')}
          </span>
        </li>
        {rejections.length > 0 && (
          <li>
            <IconHandStop size={20} />
            <span>
              <strong>{subject}</strong> {isOne ? 'was' : 'were'} changed since{' '}
              {rejections.every(isChangedSince) ? '' : 'or can’t be undone, '}and {isOne ? 'is' : 'are'} left
              alone.
            </span>
          </li>
        )}
      </ul>
      <p className="muted small">
        {mayDelete(upload) && 'Products that the changes created are deleted, and you can restore them. '}
        An undo can be undone, too.
      </p>
    </>
  );
}

/** Only the first products that change are known. */
function mayDelete({ changes, summary }: ConsoleImport): boolean {
  if (changes === null || changes.length < (summary?.updated ?? 0)) return true;
  return changes.some(({ fields }) =>
    fields.some(({ name, after }) => name === 'status' && after === 'deleted'),
  );
}

function returnWords(isOne: boolean, isPreview: boolean): string {
  if (isPreview) return isOne ? 'returns to its former values.' : 'return to their former values.';
  return isOne ? 'is back at its former values.' : 'are back at their former values.';
}

/** What only the operator sets was perhaps not changed, but stays too. */
function isChangedSince({ reason }: ConsoleImport['rejections'][number]): boolean {
  return /\b(since|meanwhile)\b/.test(reason);
}

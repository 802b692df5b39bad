import type { ActivityAuthor } from '../../src/console/activity-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { useUndo } from '../imports/use-undo.ts';
import { wordsOf } from '../imports/words.ts';
import { useAllows } from '../session/role.ts';

/** A change of products by one call or one import, as the lists of the activity name it. */
interface Change extends ActivityAuthor {
  id: string;
  at: string;
}

/**
 * Leads to the preview of the undo of a change, after a separator. An entry of an import leads to the undo of
 * the whole import.
 */
export function UndoEntry({ entry }: { entry: Change }) {
  const { time } = useFormats();
  const { import: ofImport, id, at } = entry;
  const { start, isPending } = useUndo(ofImport === null ? { change_id: id } : { import_id: ofImport.id });
  if (!useAllows('editor') || !isOfMerchant(entry)) return null;
  return (
    <>
      {' · '}
      <button type="button" className="text-button" disabled={isPending} onClick={start}>
        {ofImport === null ? (
          <>
            Undo<span className="visually-hidden"> the change of {time(at)}</span>
          </>
        ) : (
          wordsOf(ofImport).undo
        )}
      </button>
    </>
  );
}

/** Sales and deliveries, and what the marketplace decides, are not a merchant's to undo. */
function isOfMerchant({ who_kind: kind, import: ofImport }: Change): boolean {
  return kind === 'merchant_user' || kind === 'merchant_key' || ofImport !== null;
}

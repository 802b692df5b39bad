import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useFormats } from '../format/use-formats.ts';
import styles from './product-table.module.css';
import type { TableEdits } from './use-table-edits.ts';

/** Says what is not saved, and saves it. */
export function TableBar({ editing }: { editing: TableEdits }) {
  const { count } = useFormats();
  const { products, edited, changes, invalid, isSaving, canUndo } = editing;
  const overtaken = [...products.values()].filter((each) => each.overtaken.length > 0).length;
  const isDirty = changes > 0;
  const ofProducts = (number: number): string => count(number, 'product');
  const save = async (): Promise<void> => {
    const results = await editing.save();
    const saved = results.filter(({ kind }) => kind === 'saved').length;
    const rest = results.length - saved;
    notifications.show({
      ...(rest > 0 && { color: 'red' }),
      message: `${saved === 0 ? 'Nothing was saved' : `Saved ${ofProducts(saved)}`}.${rest === 0 ? '' : ` ${ofProducts(rest)} couldn’t be saved: see the marked rows.`}`,
    });
  };
  const text = isSaving
    ? `Saving ${ofProducts(edited.length)}…`
    : !isDirty
      ? 'No changes.'
      : [count(changes, 'unsaved change'), ...(invalid > 0 ? [count(invalid, 'invalid value')] : [])].join(
          ' · ',
        );
  return (
    <div className={styles.bar}>
      <p className={styles.barText} role="status">
        {text}
        {overtaken > 0 &&
          ` · ${ofProducts(overtaken)} ${overtaken === 1 ? 'was' : 'were'} changed by someone else.`}
      </p>
      {overtaken > 0 && (
        <Button variant="default" size="sm" onClick={editing.takeTheirs}>
          Load their changes
        </Button>
      )}
      <Button variant="default" size="sm" disabled={!canUndo || isSaving} onClick={editing.undo}>
        Undo
      </Button>
      <Button variant="default" size="sm" disabled={!isDirty || isSaving} onClick={editing.discard}>
        Discard
      </Button>
      <Button
        size="sm"
        aria-busy={isSaving}
        disabled={!isDirty || invalid > 0}
        onClick={() => {
          if (!isSaving) void save();
        }}
      >
        {isSaving ? 'Saving…' : 'Save'}
      </Button>
    </div>
  );
}

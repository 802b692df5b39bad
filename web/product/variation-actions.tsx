import { useState } from 'react';
import type { Variation } from '../../src/products/record/product.ts';
import { restoreVariation, writeVariation } from '../products/product-version.ts';
import { showError, showUndo } from '../ui/notify.tsx';
import styles from './product.module.css';
import type { Editor } from './use-editor.ts';

const labels = { enable: 'Enable', disable: 'Disable', delete: 'Delete', restore: 'Restore' } as const;
type Action = keyof typeof labels;

/** Enables, disables, deletes or restores a variation. Unsaved edits must be saved or discarded first. */
export function VariationActions({ variation, editor }: { variation: Variation; editor: Editor }) {
  const { identifier } = variation;
  const { product } = editor.base;
  const [isBusy, setBusy] = useState(false);
  const write = async (action: Action): Promise<boolean> => {
    try {
      if (action === 'restore') await restoreVariation(product, identifier);
      else await writeVariation(product, identifier, action);
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  };
  const act = async (action: Action): Promise<void> => {
    setBusy(true);
    // Its button would undo an earlier change than this one.
    editor.forgetLastSave();
    if ((await write(action)) && action === 'delete')
      showUndo(`Variation ${identifier} deleted.`, async () => void (await write('restore')));
    setBusy(false);
  };
  return (
    <span className={styles.rowActions}>
      {actionsOf(variation).map((action) => (
        <button
          // Enable takes the place of Disable, and its focus; so does Restore of Delete.
          key={action === 'delete' || action === 'restore' ? 'last' : 'state'}
          type="button"
          className="text-button small"
          aria-busy={isBusy}
          disabled={editor.isDirty}
          title={editor.isDirty ? 'Save or discard your changes first.' : undefined}
          onClick={() => !isBusy && void act(action)}
        >
          {labels[action]}
          <span className="visually-hidden"> {identifier}</span>
        </button>
      ))}
    </span>
  );
}

function actionsOf({ deleted_at: deleted, disabled_at: disabled }: Variation): Action[] {
  if (deleted !== null) return ['restore'];
  return [disabled === null ? 'disable' : 'enable', 'delete'];
}

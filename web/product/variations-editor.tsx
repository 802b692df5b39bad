import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Variation } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { writeVariation } from '../products/product-version.ts';
import { errorMessage } from '../server/server-error.ts';
import { valueOrDash } from '../ui/empty-value.tsx';
import { CellInput } from './cell-input.tsx';
import { quantityName } from './fields.ts';
import { NewVariations } from './new-variations.tsx';
import styles from './product.module.css';
import type { Editor } from './use-editor.ts';
import { VariationStatus } from './variation-status.tsx';

/** So many variations are shown at first, and more with each press of a button. */
const STEP = 50;

/** The variations of a product: their stock, their status, and new ones. */
export function VariationsEditor({ editor, readOnly }: { editor: Editor; readOnly: boolean }) {
  const { whole } = useFormats();
  const [shown, setShown] = useState(STEP);
  const { variations } = editor.base.product;
  const more = variations.length - shown;
  // Columns without any value are left out.
  const columns = {
    size: variations.some(({ size }) => size !== null),
    color: variations.some(({ color }) => color !== null),
  };
  return (
    <>
      {variations.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className="table-frame" tabIndex={0} aria-label="Variations">
          <table className={`table cards ${styles.variations}`}>
            <thead>
              <tr>
                <th scope="col">Variation</th>
                {columns.size && <th scope="col">Size</th>}
                {columns.color && <th scope="col">Color</th>}
                <th scope="col">Stock</th>
                <th scope="col">Status</th>
                {!readOnly && <th scope="col">Actions</th>}
              </tr>
            </thead>
            <tbody>
              {variations.slice(0, shown).map((variation) => (
                <VariationRow
                  key={variation.identifier}
                  variation={variation}
                  columns={columns}
                  editor={editor}
                  readOnly={readOnly}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {more > 0 && (
        <Button variant="default" size="compact-sm" mt="sm" onClick={() => setShown(shown + 10 * STEP)}>
          Show {whole(Math.min(more, 10 * STEP))} more
        </Button>
      )}
      {!readOnly && <NewVariations editor={editor} />}
    </>
  );
}

interface RowProps {
  variation: Variation;
  columns: { size: boolean; color: boolean };
  editor: Editor;
  readOnly: boolean;
}

function VariationRow({ variation, columns, editor, readOnly }: RowProps) {
  const { identifier, size, color, deleted_at: deleted, disabled_at: disabled } = variation;
  const name = quantityName(identifier);
  const [isBusy, setBusy] = useState(false);
  const act = async (action: 'enable' | 'disable' | 'delete'): Promise<void> => {
    setBusy(true);
    try {
      await writeVariation(editor.base.product, identifier, action);
    } catch (error) {
      notifications.show({ color: 'red', message: errorMessage(error) });
    } finally {
      setBusy(false);
    }
  };
  const actions = disabled === null ? (['disable', 'delete'] as const) : (['enable', 'delete'] as const);
  const labels = { enable: 'Enable', disable: 'Disable', delete: 'Delete' };
  return (
    <tr>
      <th scope="row" className="lead mono">
        {identifier}
      </th>
      {columns.size && <td data-label="Size">{valueOrDash(size, String)}</td>}
      {columns.color && <td data-label="Color">{valueOrDash(color, String)}</td>}
      <td data-label="Stock">
        <CellInput
          name={name}
          label={`Stock of ${identifier}`}
          value={editor.textOf(name)}
          error={editor.errors[name] ?? editor.errors[`variations[${identifier}]`]}
          isEdited={name in editor.edits}
          readOnly={readOnly || deleted !== null}
          inputMode="numeric"
          onChange={(text) => editor.edit(name, text)}
        />
      </td>
      <td data-label="Status">
        <VariationStatus variation={variation} />
      </td>
      {!readOnly && (
        <td className="row-actions">
          {deleted === null && (
            <span className={styles.rowActions}>
              {actions.map((action) => (
                <button
                  // Enable takes the place of Disable, and its focus.
                  key={action === 'delete' ? 'delete' : 'state'}
                  type="button"
                  className="text-button small"
                  aria-busy={isBusy}
                  onClick={() => !isBusy && void act(action)}
                >
                  {labels[action]}
                  <span className="visually-hidden"> {identifier}</span>
                </button>
              ))}
            </span>
          )}
        </td>
      )}
    </tr>
  );
}

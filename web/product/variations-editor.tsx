import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Variation } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { quantityName } from '../products/fields.ts';
import { optionsText } from '../products/options-text.ts';
import { CellInput } from './cell-input.tsx';
import { NewVariations } from './new-variations.tsx';
import styles from './product.module.css';
import type { Editor } from './use-editor.ts';
import { VariationActions } from './variation-actions.tsx';
import { VariationStatus } from './variation-status.tsx';

/** So many variations are shown at first, and more with each press of a button. */
const STEP = 50;

/** The variations of a product: their stock, their status, and new ones. */
export function VariationsEditor({ editor, readOnly }: { editor: Editor; readOnly: boolean }) {
  const { whole } = useFormats();
  const [shown, setShown] = useState(STEP);
  const { variations } = editor.base.product;
  const more = variations.length - shown;
  return (
    <>
      {variations.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className="table-frame" tabIndex={0} aria-label="Variations">
          <table className={`table cards ${styles.variations}`}>
            <thead>
              <tr>
                <th scope="col">Variation</th>
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
  editor: Editor;
  readOnly: boolean;
}

function VariationRow({ variation, editor, readOnly }: RowProps) {
  const { identifier, deleted_at: deleted } = variation;
  const name = quantityName(identifier);
  const options = optionsText(variation);
  return (
    <tr>
      <th scope="row" className="lead">
        {options !== '' && <span className={styles.options}>{options}</span>}
        <span
          className={`mono ${options === '' ? '' : 'muted small'} ${styles.identifier}`}
          title={identifier}
        >
          {identifier}
        </span>
      </th>
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
          <VariationActions variation={variation} editor={editor} />
        </td>
      )}
    </tr>
  );
}

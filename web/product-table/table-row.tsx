import { memo } from 'react';
import type { Product } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { textOf } from '../product/edits.ts';
import { isMoney, readableText } from '../products/money-fields.ts';
import { optionsText } from '../products/options-text.ts';
import { pricesIn, priceWarnings } from '../products/price-warnings.ts';
import { IconAlertTriangle, IconCircleCheck } from '../ui/icons.ts';
import { columns, inputOf, problemOf, reasonWithout, type TableRow } from './cells.ts';
import type { EditedProduct } from './edited-products.ts';
import styles from './product-table.module.css';

interface Props {
  row: TableRow;
  index: number;
  edited: EditedProduct;
  /** The column of the active cell, if it is in this row. */
  active: number | undefined;
  /** The first and last selected columns in this row; -1 if there are none. */
  from: number;
  to: number;
  /** The text in the input, if the active cell is being edited. */
  draft: string | undefined;
  onDraft: (text: string) => void;
  onDraftEnd: (() => void) | undefined;
}

/** A row of the table. Renders again only if something in it has changed. */
export const ProductTableRow = memo(function ProductTableRow({
  row,
  index,
  edited,
  active,
  from,
  to,
  draft,
  onDraft,
  onDraftEnd,
}: Props) {
  const { product, variation } = row;
  const { money } = useFormats();
  return (
    <tr aria-rowindex={index + 2}>
      <th scope="row" className={variation === undefined ? styles.name : styles.variation}>
        <span className={styles.identifier} title={variation ?? product.identifier}>
          {variation === undefined ? product.identifier : variationName(variation, product)}
        </span>
        {variation === undefined && <RowState edited={edited} />}
      </th>
      {columns.map((column, position) => {
        const name = inputOf(row, column);
        const isActive = position === active;
        const isSelected = position >= from && position <= to;
        const text = name === undefined ? '' : (edited.edits[name] ?? textOf(edited.product, name));
        const note = name === undefined ? reasonWithout(row) : noteOf(edited, name, money);
        const isInvalid = name !== undefined && isInvalidCell(edited, name);
        const warning = name === undefined ? undefined : warningOf(edited, name, money);
        return (
          <td
            key={column.name}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the cells of a grid can be selected
            role="gridcell"
            id={`cell-${index}-${position}`}
            data-row={index}
            data-column={position}
            tabIndex={isActive && draft === undefined ? 0 : -1}
            aria-selected={isSelected}
            aria-readonly={name === undefined || undefined}
            aria-invalid={isInvalid || undefined}
            data-edited={(name !== undefined && name in edited.edits) || undefined}
            data-overtaken={(name !== undefined && edited.overtaken.includes(name)) || undefined}
            data-doubtful={warning !== undefined || undefined}
            data-none={name === undefined || undefined}
            data-active={isActive || undefined}
            className={column.isNumber ? styles.number : undefined}
            title={note}
          >
            {isActive && draft !== undefined ? (
              <input
                className={styles.input}
                aria-label={`${column.label} of ${variation ?? product.title ?? product.identifier}`}
                autoComplete="off"
                inputMode={column.isNumber ? 'decimal' : undefined}
                // biome-ignore lint/a11y/noAutofocus: the user has just begun to type here
                autoFocus
                value={draft}
                onChange={(event) => onDraft(event.currentTarget.value)}
                onBlur={onDraftEnd}
              />
            ) : (
              <span className={styles.text}>{text}</span>
            )}
            {isInvalid && <span className="visually-hidden">, invalid</span>}
            {warning !== undefined && <span className="visually-hidden">. {warning}</span>}
          </td>
        );
      })}
    </tr>
  );
});

/**
 * Returns the size and color of a variation, or its identifier without the product’s at the start: the rest
 * fits in a narrow column.
 */
function variationName(identifier: string, product: Product): string {
  const options = optionsText(product.variations.find((each) => each.identifier === identifier));
  if (options !== '') return options;
  const rest = identifier.startsWith(product.identifier) ? identifier.slice(product.identifier.length) : '';
  return rest === '' ? identifier : `…${rest}`;
}

function RowState({ edited: { errors, overtaken, failure, isSaved } }: { edited: EditedProduct }) {
  if (isSaved)
    return (
      <span className={styles.good} title="Saved">
        <IconCircleCheck size={15} />
        <span className="visually-hidden">, saved</span>
      </span>
    );
  if (Object.keys(errors).length === 0 && overtaken.length === 0 && failure === undefined) return null;
  return (
    <span className={styles.bad} title={failure ?? 'Unsaved'}>
      <IconAlertTriangle size={15} />
      <span className="visually-hidden">, not saved{failure === undefined ? '' : `: ${failure}`}</span>
    </span>
  );
}

function isInvalidCell({ edits, errors }: EditedProduct, name: string): boolean {
  const text = edits[name];
  return errors[name] !== undefined || (text !== undefined && problemOf(name, text) !== undefined);
}

/** Returns what is probably a mistake in a price, for the prices in the table. */
function warningOf(
  { product, edits }: EditedProduct,
  name: string,
  money: (value: number) => string,
): string | undefined {
  if (!isMoney(name)) return undefined;
  const warnings = new Map(
    Object.entries(
      priceWarnings(
        pricesIn((price) => edits[price] ?? textOf(product, price)),
        money,
      ),
    ),
  );
  return warnings.get(name);
}

/** Returns what the user should know about a cell. */
export function noteOf(
  edited: EditedProduct,
  name: string,
  money: (value: number) => string,
): string | undefined {
  const { product, edits, errors, overtaken } = edited;
  const text = edits[name];
  const warning = warningOf(edited, name, money);
  if (text === undefined) return warning;
  const reason = problemOf(name, text) ?? errors[name];
  if (reason !== undefined) return reason;
  const now = readableText(name, textOf(product, name), money);
  if (overtaken.includes(name))
    return `Someone else changed this to ${now === '' ? 'nothing' : now}. Save again to replace it.`;
  const note = `Unsaved. It was ${now === '' ? 'empty' : now}.`;
  return warning === undefined ? note : `${note} ${warning}`;
}

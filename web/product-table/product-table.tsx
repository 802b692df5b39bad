import { useRef } from 'react';
import { useFormats } from '../format/use-formats.ts';
import { isMoney } from '../products/money-fields.ts';
import { columns, reasonWithout, type TableRow } from './cells.ts';
import styles from './product-table.module.css';
import { noteOf, ProductTableRow } from './table-row.tsx';
import { useCells } from './use-cells.ts';
import type { TableEdits } from './use-table-edits.ts';

interface Props {
  rows: readonly TableRow[];
  editing: TableEdits;
}

/** A table of cells that can be selected, typed into, copied and pasted as in a spreadsheet. */
export function ProductTable({ rows, editing }: Props) {
  const { products } = editing;
  const { money, currencySymbol } = useFormats();
  const grid = useRef<HTMLTableElement>(null);
  const { active, bounds, draft, setDraft, activeInput, commit, handlers } = useCells(grid, rows, editing);
  return (
    <>
      <div className={`table-frame ${styles.frame}`}>
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are selected is a grid
          role="grid"
          aria-label="Products"
          aria-multiselectable="true"
          aria-rowcount={rows.length + 1}
          className={`table ${styles.table}`}
          {...handlers}
        >
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">Product</th>
              {columns.map(({ name, label, isNumber }) => (
                <th key={name} scope="col" className={isNumber ? styles.number : undefined}>
                  {label}
                  {isMoney(name) && ` (${currencySymbol()})`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((each, index) => {
              const edited = products.get(each.product.internal_id);
              if (edited === undefined) return null;
              const isInRange = index >= bounds.top && index <= bounds.bottom;
              return (
                <ProductTableRow
                  key={each.key}
                  row={each}
                  index={index}
                  edited={edited}
                  active={index === active.row ? active.column : undefined}
                  from={isInRange ? bounds.left : -1}
                  to={isInRange ? bounds.right : -1}
                  draft={index === active.row ? draft : undefined}
                  onDraft={setDraft}
                  onDraftEnd={index === active.row ? commit : undefined}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      <p className={styles.note} aria-live="polite">
        {noteAt(editing, rows[active.row], activeInput, money)}
      </p>
    </>
  );
}

function noteAt(
  { products }: TableEdits,
  row: TableRow | undefined,
  input: { id: number; name: string } | undefined,
  money: (value: number) => string,
): string {
  if (row === undefined) return '';
  if (input === undefined) return reasonWithout(row);
  const edited = products.get(input.id);
  return (
    (edited === undefined ? undefined : noteOf(edited, input.name, money)) ??
    'Type, or paste from Excel or Google Sheets.'
  );
}

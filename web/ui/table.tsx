import { Fragment, type Key, type ReactNode } from 'react';

const classes = { lead: 'lead', number: 'number', text: '', actions: 'row-actions' } as const;

export interface Column<Row> {
  /** The header; on phones, the label of each cell. */
  label: string;
  /** A shorter header. */
  short?: string;
  /** `lead` names the row, `text` needs no label on phones, and `actions` has buttons. */
  kind?: 'lead' | 'number' | 'text' | 'actions';
  className?: string | undefined;
  /** The whole header cell, if it is more than the label. */
  header?: ReactNode;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  rows: readonly Row[];
  /** The columns; false for one that is left out. */
  columns: readonly (Column<Row> | false)[];
  keyOf: (row: Row, index: number) => Key;
  rowClass?: (row: Row) => string | undefined;
  /** The name of the table for screen readers. */
  caption?: string;
  /** Whether rows are cards on phones. */
  cards?: boolean;
  className?: string | undefined;
}

/** A table that says once how each column looks. */
export function Table<Row>(props: Props<Row>) {
  const { rows, columns, keyOf, rowClass, caption, cards = true, className = '' } = props;
  const shown = columns.filter((column) => column !== false);
  return (
    <div className="table-frame">
      <table className={`table ${cards ? 'cards' : ''} ${className}`}>
        {caption !== undefined && <caption className="visually-hidden">{caption}</caption>}
        <thead>
          <tr>
            {shown.map(({ label, short = label, kind, header }) => (
              <Fragment key={label}>
                {header ?? (
                  <th scope="col" className={kind === 'number' ? 'number' : undefined}>
                    {kind === 'actions' ? <span className="visually-hidden">{short}</span> : short}
                  </th>
                )}
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)} className={rowClass?.(row)}>
              {shown.map(({ label, kind, className = '', cell }) => (
                <td
                  key={label}
                  data-label={kind === undefined || kind === 'number' ? label : undefined}
                  className={`${classes[kind ?? 'text']} ${className}`}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

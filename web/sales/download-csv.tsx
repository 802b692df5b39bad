import { Button } from '@mantine/core';
import { escapeFormulas } from '../../src/shared/formulas.ts';
import { IconDownload } from '../ui/icons.ts';

type Cell = string | number | boolean | null;

interface Props<Row> {
  /** The name of the file, without its ending. */
  name: string;
  columns: readonly (keyof Row & string)[];
  rows: readonly Row[] | undefined;
  /** What the rows are, for screen readers. */
  label?: string;
}

/** A button that saves records as a CSV file, with the names and values of the API. */
export function DownloadCsv<Row extends object>({ name, columns, rows = [], label }: Props<Row>) {
  return (
    <Button
      variant="default"
      disabled={rows.length === 0}
      leftSection={<IconDownload size={17} />}
      onClick={() => download(name, columns, rows)}
    >
      Download CSV
      {label !== undefined && <span className="visually-hidden">: {label}</span>}
    </Button>
  );
}

function download<Row extends object>(
  name: string,
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): void {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] as Cell))];
  const text = lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Quotes a value if necessary. No spreadsheet runs it as a formula. */
function csvCell(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '');
  const safe = escapeFormulas(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const QUOTED = /"((?:[^"]|"")*)"(?=\t|\r?\n|$)/y;
const PLAIN = /[^\t\r\n]*(?:\r(?!\n)[^\t\r\n]*)*/y;

/**
 * Reads cells as spreadsheets copy them: tabs between cells, a line break after each row, and quotes around
 * cells that contain one of these. A quote within other text stays as it is.
 */
export function parseCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  do {
    QUOTED.lastIndex = at;
    const quoted = text[at] === '"' ? QUOTED.exec(text) : null;
    PLAIN.lastIndex = at;
    const [whole] = quoted ?? PLAIN.exec(text) ?? [''];
    row.push(quoted === null ? whole : (quoted[1] ?? '').replaceAll('""', '"'));
    at += whole.length;
    if (text[at] === '\t') {
      at += 1;
      continue;
    }
    rows.push(row);
    row = [];
    at += text[at] === '\r' ? 2 : 1;
    // The last line break ends a row and begins no other.
    if (at === text.length) return rows;
  } while (at <= text.length);
  return rows;
}

/** Writes cells so that spreadsheets and `parseCells` read them. */
export function formatCells(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoteIfNeeded).join('\t')}\n`).join('');
}

function quoteIfNeeded(cell: string): string {
  return /[\t\r\n]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

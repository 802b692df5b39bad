/**
 * One line of CSV (RFC 4180, with a line feed at its end). Null is an empty cell, as is the empty text:
 * a reader cannot tell the two apart.
 */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  // Spaces at the ends are quoted too: some readers trim what is not.
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns one line of CSV (RFC 4180), ending with a line feed. Null and '' are both an empty cell. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  // Spaces at the ends are quoted too, because some readers trim unquoted cells.
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

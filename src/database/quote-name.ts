/** Returns a table's name as SQL. A table that another program has created can have any name. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

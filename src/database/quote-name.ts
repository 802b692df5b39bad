/** Tables of other programs can have any name. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The counts of an import that its audit entry shows. */
export interface ImportedProducts {
  created: number;
  updated: number;
  /** How many products changed in each field; missing in summaries that an earlier version wrote. */
  changed_fields?: Record<string, number>;
}

/** Returns the subject of an import's entry: `catalog.csv: 3 new, 12 changed (quantity 10, title 2)`, most changes first. */
export function describeImport(
  file: string,
  { created, updated, changed_fields = {} }: ImportedProducts,
): string {
  const fields = Object.entries(changed_fields)
    .sort(([one, times], [other, otherTimes]) => otherTimes - times || (one < other ? -1 : 1))
    .map(([name, times]) => `${name} ${times}`);
  const list = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  return `${file}: ${created} new, ${updated} changed${list}`;
}

export interface ImportedProducts {
  created: number;
  updated: number;
  /** How many products changed in each field. */
  changed_fields: Record<string, number>;
}

/**
 * Returns the subject of an import's entry, such as `catalog.csv: 3 new, 12 changed (quantity 10, title 2)`,
 * most changes first.
 */
export function describeImport(file: string, imported: ImportedProducts): string {
  const { created, updated, changed_fields } = imported;
  const fields = Object.entries(changed_fields)
    .sort(([one, times], [other, otherTimes]) => otherTimes - times || (one < other ? -1 : 1))
    .map(([name, times]) => `${name} ${times}`);
  const list = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  return `${file}: ${created} new, ${updated} changed${list}`;
}

/** Returns the name of the file in the subject of an import's entry, which may be only that name. */
export function fileOfImport(subject: string): string {
  return subject.replace(/: \d+ new, \d+ changed(?: \(.*\))?$/s, '');
}

type Shape = 'names' | 'codes' | 'groups';

/** An array of names, an object of codes by name, or an object of arrays of names by group. */
export type Entries = string[] | Record<string, string> | Record<string, string[]>;

/** How entries of each shape are written, for people. */
export const hints: Readonly<Record<Shape, string>> = {
  names: 'One name per line.',
  codes: 'One name per line, with its code, such as “UPS = ups”.',
  groups: 'One group per line, such as “Fabrics: Cotton; Linen”.',
};

/** Writes entries as `hints` says. */
export function formatEntries(entries: Entries): string {
  if (Array.isArray(entries)) return entries.join('\n');
  return Object.entries(entries)
    .map(([name, value]) => (Array.isArray(value) ? `${name}: ${value.join('; ')}` : `${name} = ${value}`))
    .join('\n');
}

/**
 * Reads what `formatEntries` writes. Skips blank lines. The server checks the entries.
 * @throws {Error} for a name that is there twice, with a message for people
 */
export function parseEntries(text: string, shape: Shape): Entries {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (shape === 'names') return lines;
  if (shape === 'codes') return toObject(lines.map((line) => splitAt(line, line.lastIndexOf('='))));
  const groups = lines.map((line) => splitAt(line, line.indexOf(':')));
  return toObject(groups.map(([group, names]) => [group, namesOf(names)]));
}

/** An object would keep only the last one of a name. */
function toObject<Value>(entries: readonly [name: string, value: Value][]): Record<string, Value> {
  const [repeated] = entries.filter(([name], at) => entries.findIndex(([other]) => other === name) < at);
  if (repeated !== undefined) throw new Error(`“${repeated[0]}” is in the list twice.`);
  return Object.fromEntries(entries);
}

function splitAt(line: string, at: number): [before: string, after: string] {
  return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

function namesOf(text: string): string[] {
  return text
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

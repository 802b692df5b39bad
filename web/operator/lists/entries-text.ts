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

/** Reads what `formatEntries` writes. Skips blank lines. The server checks the entries. */
export function parseEntries(text: string, shape: Shape): Entries {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (shape === 'names') return lines;
  const split = lines.map((line) => splitAt(line, shape === 'codes' ? '=' : ':'));
  if (shape === 'codes') return Object.fromEntries(split);
  return Object.fromEntries(split.map(([group, names]) => [group, namesOf(names)]));
}

function splitAt(line: string, separator: string): [before: string, after: string] {
  const at = line.indexOf(separator);
  return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

function namesOf(text: string): string[] {
  return text
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

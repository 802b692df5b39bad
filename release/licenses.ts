import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface License {
  name: string;
  version: string;
  /** An SPDX expression. */
  identifier?: string;
  text?: string;
}

/** Copied into the pages without being imported as modules. */
const COPIED = ['@iconify-json/tabler'];

export function copiedLicenses(): License[] {
  return COPIED.map((name) => {
    const directory = join(import.meta.dirname, '..', 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? undefined : readFileSync(join(directory, file), 'utf8');
    return { name, version, identifier: license, ...(text !== undefined && { text }) };
  });
}

/** Covers everything in a release: Tradepost, Node.js with its libraries, and the packages. */
export function formatLicenses(own: string, node: string, packages: License[]): string {
  const unique = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  const sections = [...unique].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ['Tradepost', own],
    ['Node.js', node],
    ...sections.map(([title, { identifier = 'unknown', text }]) => [
      `${title} (${identifier})`,
      text ?? `The package contains no license text. Its license is ${identifier}.`,
    ]),
  ]
    .map(([title, text = '']) => `${title}\n${'='.repeat(String(title).length)}\n\n${text.trim()}\n`)
    .join('\n\n');
}

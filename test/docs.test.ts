import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { parseConfig } from '../src/config.ts';
import { secretSettings } from '../src/shared/text-settings.ts';
import { currentPage, generatedPages } from './generated-docs.ts';

const root = join(import.meta.dirname, '..');
const reference = join(root, 'docs', 'reference');

/** The text of each document, by its path. */
const documents = new Map(
  globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md'], { cwd: root }).map((path) => [
    path,
    readFileSync(join(root, path), 'utf8'),
  ]),
);
const decisions = [...documents].filter(([path]) => /^docs\/decisions\/\d/.test(path));

/** Names in backquotes in the first cells of a page's tables. */
async function namesIn(page: string): Promise<string[]> {
  const text = await readFile(join(reference, page), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''),
  );
}

for (const [page, text] of generatedPages())
  it(`docs/reference/${page} agrees with the code`, () => {
    assert.equal(currentPage(page), text, 'run "npm run docs" to write its generated parts again');
  });

it('the settings reference lists exactly the settings that are read, with their defaults', async () => {
  const { settings } = parseConfig({});
  const names = settings.map(({ name }) => name);
  assert.deepEqual((await namesIn('settings.md')).sort(), names.sort());
  const rows = documents.get('docs/reference/settings.md')?.split('\n') ?? [];
  for (const { name, value } of settings) {
    const cells = rows.map((row) => row.split('|')).find((row) => row[1]?.includes(`\`${name}\``));
    const shown = (cells?.[2] ?? '').trim().replaceAll('`', '');
    if (name === 'ENCRYPTION_KEY_FILE') assert.match(shown, /^encryption.keys in DATA_DIR$/);
    else assert.equal(shown, value ?? 'unset', name);
  }
});

it('the settings reference lists exactly the settings that can be in files', () => {
  const [, section = ''] = documents.get('docs/reference/settings.md')?.split('## Secrets in files') ?? [];
  const [list = ''] = section.split('## ');
  assert.deepEqual(
    [...list.matchAll(/^- `(\w+)`$/gm)].map(([, name]) => name),
    secretSettings.toSorted((one, other) => list.indexOf(`\`${one}\``) - list.indexOf(`\`${other}\``)),
  );
});

it('a decision has at most 600 words without its tables', () => {
  const wordsOf = (text: string): number =>
    text
      .split('\n')
      .filter((line) => !line.startsWith('|'))
      .join(' ')
      .split(/\s+/)
      .filter((word) => word !== '').length;
  const counts = decisions.map(([path, text]) => ({ path, words: wordsOf(text) }));
  assert.ok(counts.length > 30);
  assert.deepEqual(
    counts.filter(({ words }) => words > 600),
    [],
  );
});

it('the index of decisions lists each with its number and title', () => {
  const index = documents.get('docs/decisions/README.md') ?? assert.fail();
  const listed = [...index.matchAll(/^\| (\d+) \| \[(.*)\]\((.*)\) \|/gm)].map(([, ...cells]) => cells);
  const actual = decisions.map(([path, text]) => {
    const [, number, title] = /^# (\d+)\. (.*)\n/.exec(text) ?? assert.fail(path);
    return [number, title, path.slice('docs/decisions/'.length)];
  });
  assert.deepEqual(
    listed,
    actual.sort(([one], [other]) => Number(one) - Number(other)),
  );
});

it('decisions name only files that exist', () => {
  const named = decisions.flatMap(([path, text]) =>
    [...text.matchAll(/`((?:src|web|test|deploy|clients|release)\/[\w./-]+)`/g)].map(([, name]) => ({
      path,
      name,
    })),
  );
  assert.ok(named.length > 60);
  assert.deepEqual(
    named.filter(({ name = '' }) => !existsSync(join(root, name))),
    [],
  );
});

/** Returns the anchors of a document's headings, as they are on GitHub. */
function anchorsIn(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it('links of documents lead to files and headings that exist', () => {
  const broken: string[] = [];
  for (const [from, text] of documents) {
    const prose = text.replaceAll(/```[\s\S]*?```/g, '');
    for (const [, to = ''] of prose.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)) {
      const [file = '', anchor] = to.split('#');
      const path = file === '' ? from : join(dirname(from), file);
      const target = documents.get(path);
      const isThere = anchor === undefined || target === undefined || anchorsIn(target).includes(anchor);
      if (!existsSync(join(root, path)) || !isThere) broken.push(`${from}: ${to}`);
    }
  }
  assert.deepEqual(broken, []);
});

it('docs/where-is.md answers at least 40 questions with names that are in the files it states', () => {
  const text = documents.get('docs/where-is.md') ?? assert.fail();
  const rows = text.split('\n').filter((line) => /^\| .*\? \| /.test(line));
  assert.ok(rows.length >= 40);
  const isThere = (name: string, file: string): boolean => {
    const path = join(root, file.startsWith('web/') ? file : `src/${file}`);
    return existsSync(path) && new RegExp(`\\b${name}\\b`).test(readFileSync(path, 'utf8'));
  };
  for (const row of rows) {
    const places = [...row.matchAll(/`(\w+)` in `([\w./-]+)`/g)];
    const isLink = row.includes('](architecture.md#');
    assert.ok(isLink || places.length > 0, row);
    assert.deepEqual(
      places.filter(([, name = '', file = '']) => !isThere(name, file)).map(([place]) => place),
      [],
    );
  }
});

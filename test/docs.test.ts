import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { errors } from '../src/http/errors.ts';

const reference = join(import.meta.dirname, '..', 'docs', 'reference');

/** The names in backquotes that begin the rows of a page's tables. */
async function namesIn(page: string): Promise<string[]> {
  const text = await readFile(join(reference, page), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''),
  );
}

it('the error reference lists every error of the registry, and no other', async () => {
  assert.deepEqual((await namesIn('errors.md')).sort(), Object.keys(errors).sort());
});

it('the settings reference lists every setting that is read, and no other', async () => {
  const source = await readFile(join(import.meta.dirname, '..', 'src', 'config.ts'), 'utf8');
  const read = new Set([...source.matchAll(/text\('([A-Z_]+)'/g)].map(([, name]) => name));
  assert.deepEqual((await namesIn('settings.md')).sort(), [...read].sort());
});

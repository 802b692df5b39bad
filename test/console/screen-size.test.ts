import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';

const MAX_KB = 250;
const built = join(import.meta.dirname, '../../web/dist/operator');

/** Returns scripts with all scripts that they import, but not those that they load later. */
function withImports(scripts: readonly string[]): Set<string> {
  const all = new Set<string>();
  const add = (file: string): void => {
    if (all.has(file)) return;
    all.add(file);
    const imports = readFileSync(join(built, file), 'utf8').matchAll(
      /(?:from|import) ?["'`]\.\/([\w.~-]+\.js)/g,
    );
    for (const [, name = ''] of imports) add(`assets/${name}`);
  };
  scripts.forEach(add);
  return all;
}

it(`the first page of the operator’s screen loads at most ${MAX_KB} KB of compressed scripts`, () => {
  const html = readFileSync(join(built, 'index.html'), 'utf8');
  const named = [...html.matchAll(/\/operator\/(assets\/[\w.~-]+\.js)/g)].map(([, file = '']) => file);
  const pages = ['shell', 'overview-page'].map((name) => {
    const [file, ...others] = globSync(join(built, `assets/${name}-*.js`));
    assert.ok(file !== undefined && others.length === 0, name);
    return file.slice(built.length + 1);
  });
  const scripts = withImports([...named, ...pages]);
  const bytes = [...scripts].map((file) => gzipSync(readFileSync(join(built, file))).length);
  const all = bytes.reduce((sum, size) => sum + size, 0) / 1000;
  assert.ok(all > 100 && all <= MAX_KB, `${Math.round(all)} KB`);
});

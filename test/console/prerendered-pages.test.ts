import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';

const MAX_KB = 250;
const applications = [
  { application: 'the console', base: 'console' },
  { application: 'the operator’s screen', base: 'operator' },
];

for (const { application, base } of applications)
  describe(`the prerendered pages of ${application}`, () => {
    const built = join(import.meta.dirname, '../../web/dist', base);
    const pages = globSync(join(built, 'pages/*.html'));

    it('exist for every destination of the navigation', () => {
      assert.ok(pages.length >= 8, `${pages.length} pages`);
    });

    for (const page of pages) {
      it(`${basename(page)} lists all of its scripts, at most ${MAX_KB} KB when compressed`, () => {
        const html = readFileSync(page, 'utf8');
        const scripts = new Set(
          [...html.matchAll(/\/(?:console|operator)\/([\w./-]+\.js)/g)].map(([, file = '']) => file),
        );
        const imported = [...scripts].flatMap((file) =>
          [
            ...readFileSync(join(built, file), 'utf8').matchAll(/(?:from|import) ?["'`]\.\/([\w.-]+\.js)/g),
          ].map(([, name]) => `assets/${name}`),
        );
        assert.ok(imported.length > 0, 'the scripts import nothing');
        assert.deepEqual(
          imported.filter((file) => !scripts.has(file)),
          [],
        );
        const bytes = [...scripts].map((file) => gzipSync(readFileSync(join(built, file))).length);
        const all = bytes.reduce((sum, size) => sum + size, 0) / 1000;
        assert.ok(all > 100 && all <= MAX_KB, `${Math.round(all)} KB`);
      });
    }
  });

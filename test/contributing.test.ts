import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

it('the example in CONTRIBUTING.md compiles, is formatted, and passes its test', async (t) => {
  const copy = await mkdtemp(join(tmpdir(), 'tradepost-contributing-'));
  t.after(() => rm(copy, { recursive: true }));
  for (const path of ['src', 'test', 'bin', 'package.json', 'tsconfig.json', 'biome.json', 'clients']) {
    await cp(join(ROOT, path), join(copy, path), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await follow(await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8'), copy);
  const options = { cwd: copy, env: { ...process.env, NODE_TEST_CONTEXT: undefined } };
  const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);
  const compiled = { extends: './tsconfig.json', include: ['src/app.ts', 'test/catalog'] };
  await writeFile(join(copy, 'tsconfig.example.json'), JSON.stringify(compiled));
  await run(bin('tsc'), ['--noEmit', '-p', 'tsconfig.example.json'], options);
  await run(
    bin('biome'),
    ['check', '--vcs-enabled=false', 'src/app.ts', 'src/catalog', 'test/catalog'],
    options,
  );
  const { stdout } = await run(process.execPath, ['--test', 'test/catalog/summary.test.ts'], options);
  // Once on each engine: `npm run check` leaves PostgreSQL out.
  assert.match(stdout, process.env.TEST_ENGINES === undefined ? /pass 2\b/ : /pass 1\b/);
});

/** Creates the files of “Add an endpoint”, and adds its two lines to src/app.ts. */
async function follow(guide: string, copy: string): Promise<void> {
  const example = guide.slice(guide.indexOf('## Add an endpoint'), guide.indexOf('## Change the schema'));
  const files = [
    ...example.matchAll(
      /`((?:src|test)\/catalog\/[\w.-]+)`[^`]*```ts\n([^`]*(?:`[^`\n]*[^`]*?`[^`]*)*?)```\n/g,
    ),
  ];
  assert.equal(files.length, 3);
  for (const [, file = '', code = ''] of files) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await writeFile(join(copy, file), code);
  }
  const lines = /`src\/app\.ts`.*\n\n```ts\n(.*\n)```\n\n```ts\n(.*\n)```/.exec(example);
  const [, importLine = '', routeLine = ''] = lines ?? assert.fail('no lines for src/app.ts');
  const app = await readFile(join(copy, 'src/app.ts'), 'utf8');
  const changed = app
    .replace(/^import .*'\.\/campaigns\/history-endpoint\.ts';\n/m, (line) => line + importLine)
    .replace(/^ +salesEndpoints\(.*\n/m, (line) => line + routeLine);
  assert.equal(changed.length, app.length + importLine.length + routeLine.length);
  await writeFile(join(copy, 'src/app.ts'), changed);
}

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const ARCHITECTURE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
/** What receives requests or starts servers; all other folders are features and what they use. */
const SERVES_REQUESTS =
  /^src\/(?:http|openapi|console|operator|doctor|workers|commands)\/|^src\/(?:app|service)\.ts$/;
const IMPORT = /(?:from|import\(?)\s*'(\.{1,2}\/[^']+)'/g;

/** Maps every code file of the folders to the files that it imports, including type imports. */
function importGraph(...folders: string[]): Map<string, string[]> {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] },
  );
  return new Map(
    files.map((file) => {
      const imports = [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)];
      return [file, imports.map(([, path = '']) => normalize(join(dirname(file), path)))];
    }),
  );
}

/** Returns one cycle of a graph; undefined if it has none. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | undefined => {
    const start = path.indexOf(node);
    if (start >= 0) return [...path.slice(start), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle !== undefined) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Returns the graph of the folders at a depth, such as 2 for `src/http`. Files above that depth are left out. */
function folderGraph(graph: ReadonlyMap<string, readonly string[]>, depth: number): Map<string, string[]> {
  const folderOf = (file: string): string | undefined => {
    const parts = file.split('/');
    return parts.length > depth ? parts.slice(0, depth).join('/') : undefined;
  };
  const folders = new Map<string, string[]>();
  for (const [file, imports] of graph) {
    const folder = folderOf(file);
    if (folder === undefined) continue;
    const others = imports.map(folderOf).filter((other) => other !== undefined && other !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...(others as string[])]);
  }
  return folders;
}

describe('the import graph', () => {
  for (const folder of ['src', 'web', 'bench', 'clients/typescript/src', 'test']) {
    it(`has no cycle of files in ${folder}`, () => {
      assert.equal(findCycle(importGraph(folder))?.join('\n→ '), undefined);
    });
  }

  for (const [folder, depth] of [
    ['src', 2],
    ['src/http', 3],
    ['src/products', 3],
    ['web', 2],
    ['bench', 2],
  ] as const) {
    it(`has no cycle of folders in ${folder}`, () => {
      assert.equal(findCycle(folderGraph(importGraph(folder), depth))?.join('\n→ '), undefined);
    });
  }

  it('follows the layers of docs/architecture.md, except for the exceptions documented there', () => {
    const layers = [...ARCHITECTURE.matchAll(/^\d+\. `([^`]+)`:/gm)].map(([, layer = '']) => layer);
    const exceptions = new Map(
      [...ARCHITECTURE.matchAll(/^\| `([^`]+)` \| `([^`]+)` \| .{10,} \|$/gm)].map(([, from, to]) => [
        `${from} → ${to}`,
        false,
      ]),
    );
    const layerOf = (file: string): number =>
      layers.findIndex((layer) => file === layer || file.startsWith(`${layer}/`));
    const upward: string[] = [];
    for (const [file, imports] of importGraph('src')) {
      assert.notEqual(layerOf(file), -1, `${file} belongs to no layer`);
      for (const imported of imports) {
        if (layerOf(imported) <= layerOf(file)) continue;
        const step = `${file} → ${imported}`;
        if (exceptions.has(step)) exceptions.set(step, true);
        else upward.push(step);
      }
    }
    assert.deepEqual(upward, []);
    assert.deepEqual(
      [...exceptions].filter(([, isUsed]) => !isUsed),
      [],
      'unused exceptions',
    );
  });

  it('verbs do not import src/http: only declarations of endpoints do', () => {
    const declaration =
      /(?:^|[-/])(?:routes?|references?|parameters?|schema|schemas)\.ts$|\/register-[\w-]+\.ts$/;
    const found = [...importGraph('src')].flatMap(([file, imports]) =>
      !SERVES_REQUESTS.test(file) && !declaration.test(file)
        ? imports.filter((imported) => imported.startsWith('src/http/')).map((to) => `${file} → ${to}`)
        : [],
    );
    assert.deepEqual(found, []);
  });

  it('contains the files and folders that docs/architecture.md names', () => {
    const named = ARCHITECTURE.matchAll(/`((?:src|web)\/[\w./-]*)`|<br>([\w./-]+)/g);
    const paths = [...named].map(([, path, inDiagram]) => path ?? `src/${inDiagram}`);
    assert.ok(paths.length > 40);
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(ROOT, path))),
      [],
    );
  });
});

/** Returns the text of each file in `src`, by path. */
function sources(): Map<string, string> {
  const files = globSync('src/**/*.ts', { cwd: ROOT });
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

describe('names and comments', () => {
  it('no two folders of src export types of the same name', () => {
    const foldersByType = new Map<string, Set<string>>();
    for (const [file, text] of sources()) {
      const folder = file.split('/')[1] ?? file;
      for (const [, name = ''] of text.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm))
        foldersByType.set(name, (foldersByType.get(name) ?? new Set()).add(folder));
    }
    assert.ok(foldersByType.size > 300);
    assert.deepEqual(
      [...foldersByType].filter(([, folders]) => folders.size > 1).map(([name]) => name),
      [],
    );
  });

  it('comments and messages repeat the noun instead of pronouns that need it', () => {
    const accents = /\b(?:(?:that|those) of|any more|besides)\b(?!\()/;
    const found = [...sources()].flatMap(([file, text]) =>
      text
        .split('\n')
        .flatMap((line, index) => (accents.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
    assert.deepEqual(found, []);
  });
});

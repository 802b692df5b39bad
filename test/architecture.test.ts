import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const ARCHITECTURE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
/** What receives requests or starts servers; all other folders are features and what they use. */
const SERVES_REQUESTS =
  /^src\/(?:http|openapi|console|operator|event-api|doctor|workers|commands)\/|^src\/[\w-]+\.ts$/;
const IMPORT = /(?:from|import\(?)\s*'(\.{1,2}\/[^']+)'/g;

/** Every code file of the folders, and the files that it imports, including type imports. */
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

/** The folders at a depth, such as 2 for `src/http`. Files above that depth are left out. */
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
    const declaration = /(?:^|[-/])(?:endpoints?|parameters?|schemas?)\.ts$|\/register-[\w-]+\.ts$/;
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

describe('what tests share', () => {
  const SUPPORT = 'test/support/';
  const modules = globSync(`${SUPPORT}**/*.ts`, { cwd: ROOT });

  it('test/support/README.md names every module', () => {
    const map = readFileSync(join(ROOT, SUPPORT, 'README.md'), 'utf8');
    assert.deepEqual(
      modules.filter((path) => !map.includes(`\`${path.slice(SUPPORT.length)}\``)),
      [],
    );
  });

  it('a module that only the tests of one folder use is in that folder', () => {
    const users = new Map<string, Set<string>>();
    for (const [file, imports] of importGraph('test', 'bench'))
      for (const imported of imports)
        users.set(imported, (users.get(imported) ?? new Set()).add(dirname(file)));
    const misplaced = modules
      // The npm scripts use the global setup.
      .filter((path) => !path.includes('.test.') && path !== `${SUPPORT}global-setup.ts`)
      .filter((path) => users.get(path)?.size === 1 && !users.get(path)?.has(dirname(path)))
      .filter((path) => ![...(users.get(path) ?? [])].some((folder) => `${folder}/`.startsWith(SUPPORT)));
    assert.deepEqual(misplaced, []);
  });
});

function sources(): Map<string, string> {
  const files = globSync('src/**/*.ts', { cwd: ROOT });
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

describe('names and comments', () => {
  it('a file that declares endpoints is named after them, and has at most 200 lines', () => {
    const declaring = [...sources()].filter(
      ([file, text]) =>
        (/\bregister(?:Operator|Console)?(?:Endpoint|Write)[(<]/.test(text) ||
          (file.startsWith('src/console/') && /\bapp\.(?:get|post)\(/.test(text))) &&
        !/^src\/(?:http|openapi|operator\/endpoint)\/|\/register-[\w-]+\.ts$/.test(file),
    );
    assert.ok(declaring.length > 40);
    assert.deepEqual(
      declaring.filter(
        ([file, text]) => !/\/[\w-]+-endpoints?\.ts$/.test(file) || text.split('\n').length > 200,
      ),
      [],
    );
  });

  it('no file is called routes.ts', () => {
    assert.deepEqual(
      [...sources().keys()].filter((file) => /[/-]routes\.ts$/.test(file)),
      [],
    );
  });

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

  it('only keys have scopes', () => {
    const found = [...sources()].flatMap(([file, text]) =>
      [...text.matchAll(/^(?:export )?(?:class|interface|type) (\w*Scope)\b/gm)].map(
        ([, name = '']) => `${file} ${name}`,
      ),
    );
    assert.deepEqual(found, ['src/api-keys/scopes.ts Scope', 'src/api-keys/scopes.ts OperatorScope']);
  });

  it('comment lines have at most 110 columns', () => {
    // A directive for a tool has to be one line.
    const comment = /^\s*(?:\/\/(?! biome-ignore)|\/?\*)/;
    const found = ['src', 'web', 'test', 'bench'].flatMap((folder) =>
      [...importGraph(folder).keys()].flatMap((file) =>
        readFileSync(join(ROOT, file), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            comment.test(line) && line.length > 110 ? [`${file}:${index + 1}`] : [],
          ),
      ),
    );
    assert.deepEqual(found, []);
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

/** Splits a file before each declaration of a function, a class or a constant. */
const DECLARATION = /^(?=(?:export )?(?:const|function|async function|class) \w+)/m;

describe('verbs that write', () => {
  /** Steps of verbs that have more than one caller or merchant. */
  const STEPS = ['addToken', 'announceExpiringKeys', 'disableWebhook'];
  const VERB = /^export async function (\w+)(?:<[^(]*>)?\(\s*(?:\w+|\{[^}]*\}): ([^,)]+)/;

  it('take a context first, or are run with one where they are called', () => {
    let verbs = 0;
    const others: string[] = [];
    for (const [file, text] of sources()) {
      if (!/import[^;]*\brecord(?:Audit|Events?)\b/.test(text)) continue;
      for (const declaration of text.split(DECLARATION)) {
        const [, name, context = ''] = VERB.exec(declaration) ?? [];
        // With a reader, a function cannot write.
        if (name === undefined || /\bReader\b/.test(context) || STEPS.includes(name)) continue;
        if (/Context\b/.test(context)) verbs += 1;
        else if (!declaration.includes('runVerb(')) others.push(`${file} ${name}`);
      }
    }
    assert.ok(verbs > 10, `only ${verbs} verbs`);
    assert.deepEqual(others, []);
  });
});

describe('the audit log', () => {
  const AUDITED = [
    'merchants',
    'api_keys',
    'console_users',
    'memberships',
    'products',
    'campaigns',
    'schedules',
    'imports',
    'webhooks',
    'metadata_lists',
  ];
  /** Files that write to these tables and record nothing, each with its reason. */
  const EXCEPTIONS = new Map([
    ['api-keys/record-usage.ts', 'it stores when a key was last used'],
    ['campaigns/list-changes.ts', 'it numbers changes for cursors'],
    ['console/notifications/notification-endpoints.ts', 'users choose which emails they receive'],
    ['users/add-user.ts', 'its callers record the invitation or the new merchant'],
    ['users/end-password.ts', 'its callers record that the person has joined a shop'],
    ['console/views/view-endpoints.ts', 'users save their own views'],
    ['imports/check-again.ts', 'a check changes nothing'],
    ['imports/choose-reading.ts', 'a check changes nothing'],
    ['imports/end-interrupted-imports.ts', 'the start of an import was recorded'],
    ['imports/import-jobs.ts', 'the start of an import was recorded'],
    ['imports/run-job.ts', 'the start of an import was recorded'],
    ['imports/step-result.ts', 'the start of an import was recorded'],
    ['imports/sweep-imports.ts', 'it deletes old imports'],
    ['merchants/open-test-side.ts', 'the test side belongs to a merchant whose creation was recorded'],
    ['products/record/update-figures.ts', 'figures of a product are computed from its sales'],
    ['sales/schedule-batch.ts', 'schedules come with imports, which are recorded'],
    ['test-side/empty.ts', 'it deletes test data'],
    ['webhooks/attempt-budget.ts', 'it stores the state of deliveries'],
    ['webhooks/fan-out.ts', 'it stores the state of deliveries'],
    ['webhooks/record-attempts.ts', 'it stores the state of deliveries'],
    ['webhooks/reencrypt-secrets.ts', 'the secrets stay the same'],
    ['webhooks/replay-events.ts', 'it stores the state of deliveries'],
    ['webhooks/webhook-deliveries.ts', 'it stores the state of deliveries'],
  ]);
  const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

  /** Declarations that write to an audited table, as `file name`. */
  function writingDeclarations(): Set<string> {
    const writing = new Set<string>();
    for (const [file, text] of sources()) {
      for (const declaration of text.replaceAll(COMMENT, '').split(DECLARATION)) {
        const [, name = ''] = /(?:const|function|class) (\w+)/.exec(declaration) ?? [];
        const tables = declaration.matchAll(
          /\b(?:INSERT INTO |UPDATE |DELETE FROM |updateIn<[^(]*\(\s*')(\w+)/g,
        );
        if (tables.some(([, table = '']) => AUDITED.includes(table))) writing.add(`${file} ${name}`);
      }
    }
    return writing;
  }

  it('gets an entry, or the feed an event, from every verb that changes what a merchant owns', () => {
    const writing = writingDeclarations();
    assert.ok(writing.size > 30, `only ${writing.size} statements`);
    const silent = new Set<string>();
    for (const [file, text] of sources()) {
      if (/record(?:Audit|Events?)\b/.test(text)) continue;
      for (const [, names = '', path = ''] of text.matchAll(/import[^;]*?\{([^}]*)\} from '(\.[^']*)'/g)) {
        const imported = normalize(join(dirname(file), path));
        if (names.match(/\w+/g)?.some((name) => writing.has(`${imported} ${name}`)))
          silent.add(file.slice('src/'.length));
      }
    }
    assert.deepEqual(
      [...silent].filter((file) => !EXCEPTIONS.has(file)),
      [],
      'record nothing',
    );
    assert.deepEqual(
      [...EXCEPTIONS.keys()].filter((file) => !silent.has(file)),
      [],
      'unused exceptions',
    );
  });
});

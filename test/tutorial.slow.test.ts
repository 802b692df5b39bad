import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { freePort } from './support/postgres/programs.ts';
import { temporaryDirectory } from './support/process.ts';

const root = join(import.meta.dirname, '..');
/** Separates the outputs of two steps. */
const MARK = '=== next step ===';

/** A code block of the tutorial. `file` is where the text before it says to save it. */
interface Block {
  language: string;
  text: string;
  file: string | undefined;
}

async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(/([^\n]*)\n\n```(\w*)\n(.*?)^```$/gms)].map(
    ([, before = '', language = '', code = '']) => ({
      language,
      text: code,
      file: /as `([\w./-]+)`/.exec(before)?.[1],
    }),
  );
}

/** Replaces the commands of the tutorial that only work in a clone. */
function preludeOf(directory: string): string {
  const program = `'${process.execPath}' '${join(root, 'bin', 'tradepost.js')}'`;
  return `
    set -e
    node() { echo 'the system may have another Node.js: use npx node' >&2; return 1; }
    npx() {
      local name=$1
      shift
      if [ "$name" = node ]; then '${process.execPath}' "$@"; else ${program} "$@" | tee -a '${directory}/printed'; fi
    }
    npm() {
      [ "$1" = start ] || return 0
      ${program} serve > '${directory}/log' 2>&1 &
      trap "kill $!; wait $! || true" EXIT
      until grep -q '"listening' '${directory}/log' || grep -q 'https://' '${directory}/log'; do sleep 0.1; done
    }`;
}

/**
 * Does what a page says, from a clone on, with the first token that a command prints. Compares what each step
 * prints to what the page shows. Resolves to how many steps show something.
 */
async function follow(page: string, directory: string, folder: string): Promise<number> {
  const blocks = await blocksOf(page);
  const port = String(await freePort());
  const local = (text: string): string => text.replaceAll('8443', port);
  for (const name of ['node_modules', folder]) await mkdir(join(directory, name));
  await symlink(join(root, 'clients', 'typescript'), join(directory, 'node_modules', 'tradepost-client'));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  const script = [preludeOf(directory)];
  for (const [index, { language, text, file }] of blocks.entries()) {
    if (file !== undefined) await writeFile(join(directory, file), local(text));
    if (language !== 'sh') continue;
    const token = `export TOKEN=$(grep -oE 'tpo?_[0-9A-Za-z]*' '${directory}/printed' | head -n 1)`;
    script.push(`echo '${MARK}${index}'`, local(text).replace(/^export TOKEN=.*$/m, token));
  }
  const shell = spawn('bash', ['-c', script.join('\n')], {
    cwd: directory,
    env: { ...process.env, PORT: port, DATA_DIR: join(directory, 'data') },
  });
  let [printed, errors] = ['', ''];
  shell.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  shell.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [status] = await once(shell, 'close');
  assert.equal(status, 0, `${errors}\n${printed}`);

  const outputs = new Map(
    printed
      .split(MARK)
      .slice(1)
      .map((part) => [Number.parseInt(part, 10), part.replace(/^\d+\n/, '').trim()]),
  );
  let compared = 0;
  for (const [index, { language, text, file }] of blocks.entries()) {
    if (file !== undefined || (language !== 'json' && language !== '')) continue;
    // The page shows what the step before it prints at the end.
    const lines = text.trim().split('\n');
    const shown = outputs
      .get(index - 1)
      ?.split('\n')
      .slice(-lines.length);
    assert.deepEqual(shown, lines);
    compared += 1;
  }
  return compared;
}

it('the tutorial works as it is written, from a merchant to a program in sync', async (t) => {
  const directory = await temporaryDirectory(t);
  assert.equal(await follow('docs/tutorial.md', directory, 'erp'), 5);
  const batch = JSON.parse(await readFile(join(directory, 'erp', 'batch.json'), 'utf8'));
  assert.deepEqual(
    batch.results.map(({ result }: { result: string }) => result),
    ['updated', 'updated', 'created', 'rejected'],
  );
  const changes = JSON.parse(await readFile(join(directory, 'erp', 'page.json'), 'utf8'));
  assert.deepEqual(
    changes.results.map(({ identifier }: { identifier: string }) => identifier),
    ['clay-pot', 'oak-lamp', 'wool-rug'],
  );
});

it('the tutorial of auctions works as it is written, from two bids to a budget that is spent', async (t) => {
  const directory = await temporaryDirectory(t);
  assert.equal(await follow('docs/tutorial-auction.md', directory, 'market'), 4);
});

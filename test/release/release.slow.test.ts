import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { readIdentity } from '../../release/identity.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { PASSWORD } from '../support/console.ts';
import { type Program, ServerProcess, tradepost } from '../support/process.ts';
import { until } from '../support/until.ts';
import { testDebianPackage } from './debian/package.ts';
import { testImage } from './image/image.ts';
import { testSignature } from './signature.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const EMAIL = 'ann@example.com';
/** More than one page that the event loop reads itself, so that the reading thread runs too. */
const COUNT = 300;
const PRODUCTS = `identifier,title
${Array.from(
  { length: COUNT },
  (_, index) => `pot-${index},Pot ${index}
`,
).join('')}`;

const workspace = await mkdtemp(join(tmpdir(), 'tradepost-'));
after(() => rm(workspace, { recursive: true }));

async function build(name: string): Promise<string> {
  const directory = join(workspace, name);
  await run(process.execPath, [join(ROOT, 'release/build.ts'), directory]);
  return directory;
}

/** Copies it into an empty directory. It gets no variables, so finds no Node.js. */
async function installExecutable(release: string, directory: string): Promise<Program> {
  const executable = join(directory, 'tradepost');
  await cp(join(release, `tradepost-linux-${process.arch}`), executable);
  return { command: [executable], passedVariables: [] };
}

/** Globally, below an empty directory. */
async function installPackage(release: string, directory: string): Promise<Program> {
  const [tarball = ''] = (await readdir(release)).filter((name) => name.endsWith('.tgz'));
  await run('npm', ['install', '--global', '--prefix', directory, join(release, tarball)]);
  // Its first line finds Node.js in PATH.
  const command = [
    '/usr/bin/env',
    `PATH=${dirname(process.execPath)}`,
    join(directory, 'bin/tradepost'),
  ] as const;
  return { command: [...command], passedVariables: [] };
}

describe('a release', () => {
  let release = '';
  before(async () => {
    release = await build('release');
  });

  it('is the same for the same commit, byte for byte', async () => {
    const sums = async (directory: string): Promise<string> =>
      readFile(join(directory, 'SHA256SUMS'), 'utf8');
    assert.equal(await sums(await build('again')), await sums(release));
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release });
  });

  it('has an executable for each processor', async () => {
    const MACHINES = { x64: 0x3e, arm64: 0xb7 };
    for (const [architecture, machine] of Object.entries(MACHINES)) {
      const executable = await readFile(join(release, `tradepost-linux-${architecture}`));
      assert.equal(executable.subarray(0, 4).toString('latin1'), '\x7fELF');
      assert.equal(executable.readUInt16LE(18), machine);
    }
  });

  it('lists the packages and their licenses', async () => {
    const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const { components } = JSON.parse(await readFile(join(release, 'sbom.cdx.json'), 'utf8'));
    const listed = new Set(
      components.map(({ name, group }: { name: string; group?: string }) =>
        group ? `${group}/${name}` : name,
      ),
    );
    assert.deepEqual(
      Object.keys(dependencies).filter((name) => !listed.has(name)),
      [],
    );
    const licenses = await readFile(join(release, 'LICENSES.txt'), 'utf8');
    for (const title of ['Tradepost', 'Node.js', 'fastify', 'react', 'postgres']) {
      assert.match(licenses, new RegExp(`^${title}(?: [\\d.]+ \\(.+\\))?\\n=+\\n\\n\\S`, 'm'), title);
    }
    assert.doesNotMatch(licenses, /\(unknown\)/);
  });

  testSignature(() => ({ release, workspace }));
  testDebianPackage(() => ({ release, workspace }));
  testImage(() => ({ release, workspace }));

  for (const [name, install] of [
    ['the executable alone', installExecutable],
    ['the npm package', installPackage],
  ] as const) {
    describeInBrowser(name, () => {
      let [directory, installed, environment] = ['', {} as Program, { DATA_DIR: '' }];
      let server: ServerProcess;
      const cleanups: (() => unknown)[] = [];
      const t = { after: (cleanup: () => unknown) => void cleanups.push(cleanup) };
      before(async () => {
        directory = join(workspace, name);
        await mkdir(join(directory, 'installed'), { recursive: true });
        installed = await install(release, join(directory, 'installed'));
        environment = { DATA_DIR: join(directory, 'data') };
        server = await ServerProcess.start(t, { ...environment, WORKERS: '2' }, undefined, installed);
      });
      after(async () => {
        const ended = await server.end('SIGTERM');
        for (const cleanup of cleanups) cleanup();
        assert.deepEqual(ended, [0, null]);
      });
      const open = useBrowser(() => ({
        client: server.client,
        baseUrl: server.baseUrl.href,
        config: { dataDirectory: environment.DATA_DIR, publicUrl: null },
      }));
      const command = async (...commandLine: string[]): Promise<string> => {
        const options = { cwd: directory, program: installed };
        const { status, stdout, stderr } = await tradepost(commandLine, environment, options);
        assert.deepEqual([status, stderr], [0, '']);
        return stdout;
      };

      it('names its version and its commit', async () => {
        const { version, commit } = readIdentity();
        const { node, sqlite } = process.versions;
        assert.equal(
          await command('--version'),
          `tradepost ${version} (commit ${commit})\nNode.js ${node}\nSQLite ${sqlite}\n`,
        );
      });

      it('takes a merchant from the first command to a catalog in the console, imports, and backs up', async (t) => {
        const output = await command('merchants', 'create', '--name', 'Acme Pots', '--email', EMAIL);
        const [link = ''] = /https:\S+/.exec(output) ?? [];
        const [token = ''] = /tp_\w+/.exec(output) ?? [];
        const visitor = await open(t);
        const { page } = visitor;
        await page.goto(new URL(new URL(link).pathname + new URL(link).hash, server.baseUrl).href);
        await visitor.field('Password').fill(PASSWORD);
        await visitor.press('Set password');
        await visitor.follow('Sign in');
        await visitor.signIn(EMAIL, PASSWORD);
        await visitor.sees('Overview');
        await visitor.goTo('/products/import');
        await visitor.upload('pots.csv', PRODUCTS);
        await page.getByRole('heading', { name: 'Preview' }).waitFor();
        await visitor.press('Import');
        await page.getByRole('heading', { name: 'Imported' }).waitFor();
        await visitor.follow('View products');
        await page.getByRole('link', { name: 'Pot 299' }).waitFor();
        const path = `/v1/products.json?access_token=${token}&per_page=1000`;
        const response = await server.client.request('GET', path);
        assert.equal(response.json<unknown[]>().length, COUNT);

        await writeFile(join(directory, 'pots.csv'), PRODUCTS.replace('Pot 7\n', 'Pan 7\n'));
        assert.equal(
          await command('import', 'products', 'pots.csv', '--merchant', 'Acme Pots'),
          `0 created, 1 updated, ${COUNT - 1} unchanged, 0 rejected.\n`,
        );
        assert.match(
          await command('backup', 'backup.db'),
          /is complete and verified: 1 merchants, 300 products/,
        );
        assert.doesNotMatch(await command('doctor'), /^(warning|problem)/m);
      });

      it('runs the demo', async (t) => {
        const [executable, ...words] = installed.command;
        const demo = spawn(executable, [...words, 'demo'], { env: { PORT: '0' }, cwd: directory });
        t.after(() => demo.kill('SIGKILL'));
        let output = '';
        demo.stdout.on('data', (chunk) => {
          output += chunk;
        });
        await until(() => output.includes('Press Ctrl-C'), { timeoutMs: 60_000 });
        assert.match(output, /Tradepost serves 4 merchants/);
        demo.kill('SIGTERM');
        assert.deepEqual(await once(demo, 'exit'), [0, null]);
      });
    });
  }
});

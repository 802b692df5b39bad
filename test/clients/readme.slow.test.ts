import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { draft, importDrafts } from '../support/catalog.ts';
import { sqlite } from '../support/engines.ts';
import { orderDraft, pushDrafts } from '../support/orders.ts';
import { temporaryDirectory } from '../support/process.ts';
import { startTestService } from '../support/service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const client = join(root, 'clients', 'typescript');
const options = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.asynciterable'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
  strict: true,
  noEmit: true,
};

it('the packed and installed client runs and type-checks the examples of its README', async (t) => {
  const directory = await temporaryDirectory(t);
  await run('npm', ['pack', '--silent', '-w', 'clients/typescript', '--pack-destination', directory], {
    cwd: root,
  });
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const built = join(directory, 'built');
  for (const part of ['src', 'package.json', 'tsconfig.json', 'README.md']) {
    await cp(join(client, part), join(built, part), { recursive: true });
  }
  const compiler = createRequire(join(client, 'build.ts')).resolve('typescript/bin/tsc');
  await run(process.execPath, [compiler, '-p', built]);
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', directory], { cwd: built });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./tradepost-client-${version}.tgz`];
  const readme = await readFile(join(client, 'README.md'), 'utf8');
  assert.ok(readme.includes(`npm install ${install.at(-1)}\n`));
  await run('npm', install, { cwd: directory });

  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  assert.equal(blocks.length, 20);
  await writeFile(join(directory, 'example.ts'), blocks.join('\n'));
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['example.ts'] }),
  );
  await run(process.execPath, [join(root, 'node_modules', 'typescript', 'lib', 'tsc.js'), '-p', directory]);

  await using service = await startTestService(sqlite);
  const merchant = await service.newMerchant();
  const pot = draft('clay-pot', { category: 'Garden' }, [{ identifier: 'clay-pot-s', quantity: 12 }]);
  const lamp = draft('oak-lamp', { category: 'Home | Lighting' }, [
    { identifier: 'oak-lamp-1', quantity: 1 },
  ]);
  await importDrafts(service, merchant, [[pot, lamp]]);
  await pushDrafts(service, merchant, [orderDraft('A-1', { product_identifier: 'clay-pot' })]);
  const { stdout } = await run(process.execPath, ['example.ts'], {
    cwd: directory,
    env: {
      ...process.env,
      TRADEPOST_URL: service.baseUrl,
      TRADEPOST_TOKEN: merchant.token,
      TRADEPOST_OPERATOR_URL: service.operatorUrl,
      TRADEPOST_OPERATOR_TOKEN: await service.newOperatorToken(),
      TRADEPOST_TEST_TOKEN: (await service.newTestKey(merchant)).token,
      NODE_EXTRA_CA_CERTS: join(service.config.dataDirectory, 'tls-cert.pem'),
    },
  });
  const lines = stdout.trimEnd().split('\n');
  const updated = new Date(service.now()).toISOString();
  assert.deepEqual(lines, [
    'clay-pot 12',
    `clay-pot ${updated}`,
    `oak-lamp ${updated}`,
    '1 of 1',
    'Spring sale Active',
    '1 updated []',
    '2 created []',
    'Spring sale',
    'clay-pot-3 Large clay pot',
    'clay-pot-2 Clay pot',
    'clay-pot 12',
    'clay-pot shipped',
    'done 0 1 0',
    '400 invalid_parameters per_page',
    '60 503',
    "ERP [ 'read' ]",
    '5000 0',
    '1000 true',
  ]);
});

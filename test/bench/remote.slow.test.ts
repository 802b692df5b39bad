import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { requestKinds } from '../../bench/remote/requests.ts';
import { sorts } from '../../src/products/list/listing.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { createCertificate } from '../support/certificates.ts';
import { sqlite } from '../support/engines.ts';
import { type CommandResult, type Owner, temporaryDirectory } from '../support/process.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';

const BENCH = join(import.meta.dirname, '../../bench/run.ts');
const QUICK = ['--seconds', '1', '--connections', '4'];
const KINDS = ['known page', 'new page', 'variation', 'monthly sales'];

/** A merchant with 300 products with a variation each, and the files that the command needs. */
interface Measurable extends AsyncDisposable {
  service: TestService;
  merchant: TestMerchant;
  tokens: string;
  ca: string;
}

async function start(t: Owner, environment: Record<string, string> = {}): Promise<Measurable> {
  const service = await startTestService(sqlite, { environment });
  const merchant = await service.newMerchant();
  const drafts = Array.from({ length: 300 }, (_, number) =>
    draft(`p-${number}`, { title: `Lamp ${number}` }, [{ identifier: `v & ${number}`, color: 'Red & blue' }]),
  );
  await importDrafts(service, merchant, [drafts]);
  const tokens = join(await temporaryDirectory(t), 'tokens');
  await writeFile(tokens, `${merchant.token}\n`);
  const ca = join(service.config.dataDirectory, 'tls-cert.pem');
  return { service, merchant, tokens, ca, [Symbol.asyncDispose]: () => service.close() };
}

async function bench(...commandLine: string[]): Promise<CommandResult> {
  try {
    const options = { env: { ...process.env, NODE_TEST_CONTEXT: undefined } };
    const output = await promisify(execFile)(process.execPath, [BENCH, 'remote', ...commandLine], options);
    return { status: 0, ...output };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const { code, stdout, stderr } = error as Error & { code: number; stdout: string; stderr: string };
    return { status: code, stdout, stderr };
  }
}

function rowsOf({ stdout, stderr, status }: CommandResult): Map<string, string[]> {
  assert.equal(status, 0, stderr);
  const rows = stdout.split('\n').filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  return new Map(cells.slice(1).map(([, kind = '', ...others]) => [kind, others]));
}

describe('npm run bench -- remote', () => {
  it('reports rates and times of each kind of read, and sends only GET requests', async (t) => {
    await using measurable = await start(t);
    const { service, merchant, tokens, ca } = measurable;
    const result = await bench(service.baseUrl, '--tokens', tokens, '--ca', ca, ...QUICK);
    const rows = rowsOf(result);
    assert.deepEqual([...rows.keys()], KINDS);
    for (const [rate, median, p99, , refused] of rows.values()) {
      assert.ok(Number(rate) > 1, `${rate} per second`);
      assert.ok(Number(median) > 0 && Number(median) <= Number(p99), `${median} and ${p99} ms`);
      assert.equal(refused, '0.00%');
    }
    assert.match(result.stdout, /60000 requests per minute.*RATE_LIMIT.*ADDRESS_RATE_LIMIT/s);
    assert.ok(!(result.stdout + result.stderr).includes(merchant.token));
    const methods = service.log.map((line) => JSON.parse(line).method).filter(Boolean);
    assert.deepEqual([...new Set(methods)], ['GET']);
  });

  it('requests each page in each order once, over all threads', () => {
    const catalogs = [6, 14, 1].map((pages, index) => ({ token: `t${index}`, pages, variations: [] }));
    const paths = [0, 1, 2].flatMap((index) => [...requestKinds['new page'](catalogs, { index, of: 3 })]);
    assert.equal(new Set(paths).size, paths.length);
    assert.equal(paths.length, (6 + 14 + 1) * Object.keys(sorts).length);
    for (const path of paths) {
      const query = new URLSearchParams(path.split('?')[1]);
      const catalog = catalogs.find(({ token }) => token === query.get('access_token'));
      assert.ok(Number(query.get('page')) <= (catalog?.pages ?? 0), path);
    }
  });

  it('reports refusals with the limit and the setting that raises it', async (t) => {
    await using measurable = await start(t, { RATE_LIMIT: '50' });
    const { service, tokens, ca } = measurable;
    const result = await bench(service.baseUrl, '--tokens', tokens, '--ca', ca, ...QUICK);
    const [, , , , refused = '', why = ''] = rowsOf(result).get('monthly sales') ?? [];
    assert.ok(Number.parseFloat(refused) > 0, refused);
    assert.match(why, /^\d+ × 429, limit "key"$/);
    assert.match(result.stdout, /The setting RATE_LIMIT raises it/);
    assert.match(result.stdout, /connections waited \d+\.\d% of the time after refusals/);
  });

  it('rejects a certificate of an unknown authority before it sends a token', async (t) => {
    await using measurable = await start(t);
    const { service, tokens } = measurable;
    const { status, stderr } = await bench(service.baseUrl, '--tokens', tokens, ...QUICK);
    assert.equal(status, 1);
    assert.match(stderr, /^The certificate of 127\.0\.0\.1:\d+ is not valid here: .*--ca FILE\.\n/);
    const other = join(await temporaryDirectory(t), 'other.pem');
    await writeFile(other, (await createCertificate('127.0.0.1')).cert);
    const refused = await bench(service.baseUrl, '--tokens', tokens, '--ca', other, ...QUICK);
    assert.match(refused.stderr, /^The certificate of /);
    assert.equal(service.log.filter((line) => line.includes('"GET"')).length, 0);
  });

  it('explains invalid input without showing tokens', async (t) => {
    await using measurable = await start(t);
    const { service, tokens, ca } = measurable;
    const directory = await temporaryDirectory(t);
    const file = async (name: string, text: string): Promise<string> => {
      await writeFile(join(directory, name), text);
      return join(directory, name);
    };
    const secret = 'tp_unknown-token';
    const url = service.baseUrl;
    const rejected = await file('rejected', `\n${secret}\n`);
    const spaces = await file('spaces', `${secret} ${secret}\n`);
    const cases: [RegExp, string[]][] = [
      [/^The URL of the service is missing\./, []],
      [/^--tokens FILE is missing\./, [url]],
      [/^"shop" is not a URL\./, ['shop', '--tokens', tokens]],
      [/^The URL must begin with https:/, ['http://127.0.0.1', '--tokens', tokens]],
      [/^The URL may have only/, [`${url}?page=1`, '--tokens', tokens]],
      [/^Cannot read .*missing/, [url, '--tokens', join(directory, 'missing')]],
      [/contains no access token\./, [url, '--tokens', await file('empty', '\n')]],
      [/^Line 1 of .* is not an access token\./, [url, '--tokens', spaces]],
      [/contains no PEM certificate\./, [url, '--tokens', tokens, '--ca', tokens]],
      [/^--seconds must be a whole number from 1 to 60\./, [url, '--tokens', tokens, '--seconds', '61']],
      [/^--connections must be a whole number/, [url, '--tokens', tokens, '--connections', '0']],
      [/^Unknown option '--write'/, [url, '--tokens', tokens, '--write']],
      [/^The service rejected the token on line 2\./, [url, '--tokens', rejected, '--ca', ca]],
      [/^There is no Tradepost API at /, [`${url}/other`, '--tokens', tokens, '--ca', ca]],
      [/^Cannot reach 127\.0\.0\.1:1: ECONNREFUSED\./, ['https://127.0.0.1:1', '--tokens', tokens]],
    ];
    for (const [message, commandLine] of cases) {
      const { status, stdout, stderr } = await bench(...commandLine);
      assert.match(stderr, message);
      assert.match(stderr, /\nUsage: npm run bench -- remote /);
      assert.deepEqual([status, stdout], [1, '']);
      assert.ok(!stderr.includes(secret));
    }
  });
});

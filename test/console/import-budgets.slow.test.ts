import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { addToBudgetUse } from '../../src/budgets/queries.ts';
import type { ConsoleImport, ProductCounts } from '../../src/console/catalog-api.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { checkFile, productLines, sendFile, untilState } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { startTestService, type TestService } from '../support/service.ts';

const MB = 1024 * 1024;

async function rejectionsOf({ health }: TestService, budget: string): Promise<number> {
  const figures = JSON.stringify(await health.metrics());
  const [, count = '0'] =
    new RegExp(`"value":(\\d+),"labels":\\{"budget":"${budget}"\\}`).exec(figures) ?? [];
  return Number(count);
}

async function bytesOnDisk({ config }: TestService): Promise<number> {
  const directory = join(config.dataDirectory, 'imports');
  const sizes = (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function sendChunked(client: ConsoleClient, body: Buffer) {
  const headers = { 'content-type': 'application/octet-stream', 'transfer-encoding': 'chunked' };
  return client.request('POST', '/imports?name=chunked', {
    body,
    headers: { ...headers, 'content-length': [] },
  });
}

forEachEngine((engine) => {
  it('limits the files that each merchant uploads per day, discarded ones included', async () => {
    await using service = await startTestService(engine, { environment: { BUDGETS: 'imports_per_day=2' } });
    const client = await signedIn(service, await service.newMerchant());
    const other = await signedIn(service, await service.newMerchant());
    for (const name of ['first', 'second']) {
      const { id } = await checkFile(client, name, productLines(1));
      assert.equal((await client.request('DELETE', `/imports/${id}`)).status, 200);
    }
    const third = await sendFile(client, 'third', productLines(1));
    assert.equal(third.status, 429);
    assert.equal(third.message, 'Budget imports_per_day exceeded: at most 2 files uploaded per day (UTC).');
    assert.ok(Number(third.header('retry-after')) > 0);
    assert.equal(await rejectionsOf(service, 'imports_per_day'), 1);
    await checkFile(other, 'other', productLines(1));
    assert.equal(await bytesOnDisk(service), Buffer.byteLength(productLines(1)));
  });

  it('limits the bytes of a merchant’s files, whether or not their size is announced', async () => {
    await using service = await startTestService(engine, {
      environment: { MAX_UPLOAD: '2', BUDGETS: `import_bytes=${MB}` },
    });
    const client = await signedIn(service, await service.newMerchant());
    const file = Buffer.from(productLines(9000));
    assert.ok(file.length > MB / 2 && file.length < MB);
    const { id } = await checkFile(client, 'first', file);
    for (const send of [() => sendFile(client, 'second', file), () => sendChunked(client, file)]) {
      const rejected = await send();
      assert.equal(rejected.status, 409);
      assert.match(
        rejected.message,
        /^Budget import_bytes exceeded: at most 1,048,576 bytes .* Import or discard/,
      );
      assert.equal(await bytesOnDisk(service), file.length);
    }
    assert.equal(await rejectionsOf(service, 'import_bytes'), 2);
    assert.equal((await client.request('DELETE', `/imports/${id}`)).status, 200);
    const chunked = await sendChunked(client, file);
    assert.equal(chunked.status, 200);
    await untilState(client, chunked.json<ConsoleImport>().id, 'checked');
  });

  it('stops an import when the merchant’s CPU time of the day is used up, and keeps the rows imported before', async () => {
    await using service = await startTestService(engine, {
      environment: { BUDGETS: 'import_cpu_seconds_per_day=1000' },
    });
    const merchant = await service.newMerchant();
    const client = await signedIn(service, merchant);
    const { id } = await checkFile(client, 'pots.ndjson', productLines(40_000));
    const add = async (seconds: number): Promise<number> => {
      const use = {
        merchantId: merchant.id,
        budget: 'import_cpu_seconds_per_day',
        day: Math.floor(service.now() / 86_400_000),
        amount: seconds,
      };
      const row = await service.database.transaction((connection) => connection.first(addToBudgetUse, use));
      return row?.used ?? 0;
    };
    const used = await add(0);
    assert.ok(used >= 1 && used < 500, `${used} seconds`);
    await add(999 - used);
    assert.equal((await client.post(`/imports/${id}/import`)).status, 200);
    const failed = await untilState(client, id, 'failed');
    assert.equal(
      failed.failure,
      'Budget import_cpu_seconds_per_day exceeded: at most 1,000 CPU seconds of imports per day (UTC). The rows before that are in the catalog.',
    );
    const { all } = (await client.get('/products/counts')).json<ProductCounts>();
    assert.ok(all > 0 && all < 40_000, `${all} products`);
    assert.equal(await rejectionsOf(service, 'import_cpu_seconds_per_day'), 1);
    const next = await sendFile(client, 'next', productLines(1));
    assert.deepEqual([next.status, /import_cpu_seconds_per_day/.test(next.message)], [429, true]);
  });

  it('rejects the start of an import without CPU time left', async () => {
    await using service = await startTestService(engine, {
      environment: { BUDGETS: 'import_cpu_seconds_per_day=1' },
    });
    const client = await signedIn(service, await service.newMerchant());
    const { id } = await checkFile(client, 'pots.ndjson', productLines(1));
    const response = await client.post(`/imports/${id}/import`);
    assert.deepEqual([response.status, /import_cpu_seconds_per_day/.test(response.message)], [429, true]);
    assert.equal((await client.get(`/imports/${id}`)).json<ConsoleImport>().state, 'checked');
  });

  it('writes at most 5 MB of rejected rows, even for a tiny compressed file, and says how many are not listed', async () => {
    await using service = await startTestService(engine);
    const client = await signedIn(service, await service.newMerchant());
    const file = gzipSync('{\n'.repeat(80_000));
    assert.ok(file.length < 600, `${file.length} bytes`);
    const { id, summary } = await checkFile(client, 'bad.ndjson.gz', file);
    assert.equal(summary?.rejected, 80_000);
    const { text } = await client.get(`/imports/${id}/rejects.csv`);
    assert.ok(Buffer.byteLength(text) <= 5 * MB);
    assert.ok((await bytesOnDisk(service)) <= 5 * MB + file.length);
    const lines: string[][] = parse(text);
    assert.equal(lines.at(-1)?.[3], `${80_000 - (lines.length - 2)} more not listed`);
  });
});

import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import sql from 'postgres';
import { tables } from '../../src/copy/tables.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import {
  assertCopied,
  type CopyDatabase,
  directions,
  fillMerchant,
  newCopyDatabase,
  openCopyDatabase,
  readTables,
  wildDrafts,
} from '../support/copies.ts';
import { postgres, sqlite } from '../support/engines.ts';
import { createKey } from '../support/keys.ts';
import { sortWords } from '../support/listing-model.ts';
import { type CommandResult, killTradepost, temporaryDirectory, tradepost } from '../support/process.ts';
import { newRandom } from '../support/seed.ts';
import { startTestService, type TestService } from '../support/service.ts';

const copy = (from: CopyDatabase, to: CopyDatabase, ...options: string[]): Promise<CommandResult> =>
  tradepost(['copy', '--from', from.address, '--to', to.address, ...options], {
    DATA_DIR: from.environment.DATA_DIR,
  });

const serve = (side: CopyDatabase): Promise<TestService> =>
  startTestService(
    { name: side.address, environment: async () => side.environment },
    // These tests send many invalid tokens. A copy does not include the state of rate limits.
    { environment: { AUTH_FAILURE_LIMIT: 'off', RATE_LIMIT: 'off' } },
  );

function withoutDate({ status, headers, bytes }: ClientResponse): {
  status: number;
  headers: object;
  body: string;
} {
  const { date: _, ...rest } = headers;
  return { status, headers: rest, body: bytes.toString('latin1') };
}

/** All data that the merchants can see, and some requests with an unknown token. */
async function requestAll(service: TestService, tokens: string[]): Promise<ReturnType<typeof withoutDate>[]> {
  const responses: ClientResponse[] = [];
  for (const token of [...tokens, 'an-unknown-token']) {
    const get = (path: string, etag = ''): Promise<ClientResponse> =>
      service.request('GET', `${path}access_token=${token}`, {
        headers: { 'x-request-id': 'same', ...(etag !== '' && { 'if-none-match': etag }) },
      });
    for (const sort of sortWords) {
      for (const page of [1, 2, 9]) {
        const path = `/products.json?pagination=true&per_page=7&sort=${sort}&page=${page}&`;
        const response = await get(path);
        responses.push(response, await get(path, response.header('etag')));
      }
    }
    responses.push(await get('/products.json?status=in_stock&category=Home&pagination=true&'));
    responses.push(await get('/performance/sales.json?'));
    for (const { variations } of wildDrafts(60, 1)) {
      const identifier = encodeURIComponent(variations?.[0]?.identifier ?? 'none');
      responses.push(await get(`/variations/retrieve.json?identifier=${identifier}&`));
    }
  }
  return responses.map(withoutDate);
}

async function createCampaigns(service: TestService, tokens: string[]): Promise<string[]> {
  const bodies: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const form = { access_token: token, name: `Sale ${index}`, type: 'AuctionCampaign', daily_budget: 12.5 };
    const response = await service.request('POST', '/campaigns.json', {
      form,
      headers: { 'idempotency-key': `key-${index}` },
    });
    bodies.push(`${response.status} ${response.text}`);
  }
  return bodies;
}

for (const { from, to } of directions) {
  describe(`from ${from.name} to ${to.name}`, () => {
    it('the copy responds to the same tokens byte for byte as its source, and accepts further writes', async (t) => {
      const [one, other] = [await newCopyDatabase(t, from), await newCopyDatabase(t, to)];
      await using source = await serve(one);
      const merchants = [
        await fillMerchant(source, 'Acme', { seed: 1 }),
        await fillMerchant(source, 'Other', { seed: 2 }),
      ];
      const tokens = merchants.flatMap((merchant) => merchant.tokens);
      const created = await createCampaigns(source, tokens);
      // The source serves during and after the copy.
      const { status, stdout, stderr } = await copy(one, other, '--json');
      assert.equal(status, 0, stderr);
      assert.equal(JSON.parse(stdout).equal, true);
      await using target = await serve(other);
      target.passTime(source.now() - target.now());
      const responses = await requestAll(source, tokens);
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200, 304, 404, 401]));
      assert.deepEqual(await requestAll(target, tokens), responses);
      assert.deepEqual(await createCampaigns(target, tokens), created);
      for (const service of [source, target]) {
        await importDrafts(service, { id: 1 }, [[...wildDrafts(40, 7), draft('new one')]]);
        const { id } = await createKey(service, { merchantId: 2, name: 'next', expiresAt: null });
        assert.equal(id, '2-5');
      }
      assert.deepEqual(await requestAll(target, tokens), await requestAll(source, tokens));
    });

    it('a copy that is killed leaves a database that every command rejects', async (t) => {
      const one = await newCopyDatabase(t, from);
      const source = await openCopyDatabase(t, one);
      const services = { database: source, now: Date.now };
      await fillMerchant(services, 'Acme');
      await importDrafts(services, { id: 1 }, [manyDrafts(8_000)]);
      const random = newRandom();
      let kills = 0;
      for (let round = 1; round <= 3; round += 1) {
        const other = await newCopyDatabase(t, to);
        const commandLine = ['copy', '--from', one.address, '--to', other.address];
        const delayMs = random.whole(0, 400);
        if (!(await killTradepost(commandLine, one.environment, { line: 'api_keys:', delayMs }))) break;
        const { status, stderr } = await tradepost(['merchants', 'list'], other.environment);
        // The copy finished before it was killed.
        if (status === 0) break;
        kills += 1;
        const message = /^tradepost: (--to: )?The database contains an unfinished copy\. Delete [^\n]+\n$/;
        assert.match(stderr, message);
        const again = await copy(one, other);
        assert.equal(again.status, 1);
        assert.match(again.stderr, message);
      }
      assert.ok(kills > 0, 'no run was killed during the copy, so this test proves nothing');
    });
  });
}

function manyDrafts(count: number) {
  return Array.from({ length: count }, (_, index) =>
    draft(`many ${index}`, { description: 'clay '.repeat(200) }, [{ identifier: `many ${index} a` }]),
  );
}

/** The source has one merchant, and the target is empty. */
async function newCopyDatabases(t: TestContext): Promise<{ one: CopyDatabase; other: CopyDatabase }> {
  const [one, other] = [await newCopyDatabase(t, sqlite), await newCopyDatabase(t, postgres)];
  const database = await openCopyDatabase({ after: () => {} }, one);
  await fillMerchant({ database, now: Date.now }, 'Acme');
  await database.close();
  return { one, other };
}

it('a copy reports the rows of each table and that they are equal, and does not change its source', async (t) => {
  const { one, other } = await newCopyDatabases(t);
  const file = join(one.environment.DATA_DIR, 'tradepost.db');
  const before = [await readFile(file), (await stat(file)).mtimeMs];
  const { status, stdout, stderr } = await copy(one, other);
  assert.equal(status, 0, stderr);
  assert.deepEqual([await readFile(file), (await stat(file)).mtimeMs], before);
  const names = tables.map(({ name }) => name);
  assert.deepEqual(
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.split(':')[0]),
    names,
  );
  const lines = stdout.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^table +rows +copied +checksum +equal$/);
  for (const [index, name] of names.entries()) {
    const [, table, rows, copied] =
      /^(\w+) +(\d+) +(\d+) +[0-9a-f]{16} +yes$/.exec(lines[index + 1] ?? '') ?? [];
    assert.deepEqual([table, rows], [name, copied]);
  }
  assert.match(lines.at(-1) ?? '', /^The copy is complete: \d+ rows in [\d.]+ s\.$/);
});

it('a missing --from or --to is the configured database', async (t) => {
  const { one, other } = await newCopyDatabases(t);
  const environment = { ...one.environment, ...other.environment };
  const { status, stderr } = await tradepost(['copy', '--from', one.address], environment);
  assert.equal(status, 0, stderr);
  await assertCopied(await openCopyDatabase(t, one), await openCopyDatabase(t, other));
});

it('a copy whose connection is lost fails with one line that says how to copy again', async (t) => {
  const { one, other } = await newCopyDatabases(t);
  const source = await openCopyDatabase(t, one);
  await importDrafts({ database: source, now: Date.now }, { id: 1 }, [manyDrafts(8_000)]);
  const server = sql(other.address, { max: 1 });
  t.after(() => server.end());
  const running = copy(one, other);
  let over = false;
  void running.then(() => {
    over = true;
  });
  for (let cut: readonly unknown[] = []; cut.length === 0; ) {
    assert.ok(!over, 'the copy finished too early, so this test proves nothing');
    cut = await server`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'COPY products%'`;
  }
  const { status, stderr } = await running;
  assert.equal(status, 1);
  assert.match(
    stderr,
    /\ntradepost: --to: [^\n]+ Empty the target database and run the same command again\.\n$/,
  );
});

describe('a copy fails with status 1 and one line, and writes nothing, for', () => {
  const assertFails = async (
    from: string | undefined,
    to: string | undefined,
    message: RegExp,
    directory = '/tmp',
  ) => {
    const options = [
      ...(from === undefined ? [] : ['--from', from]),
      ...(to === undefined ? [] : ['--to', to]),
    ];
    const { status, stdout, stderr } = await tradepost(
      ['copy', ...options],
      { DATABASE_WAIT: '0' },
      { cwd: directory },
    );
    assert.deepEqual([status, stdout], [1, ''], stderr);
    const reported = stderr.replace(/^Waiting for [^\n]+\n/, '');
    assert.match(reported, /^tradepost: [^\n]+\n$/);
    assert.match(reported, message);
    assert.ok(!stderr.includes('secret'), stderr);
  };

  it('missing or invalid addresses', async (t) => {
    const { one } = await newCopyDatabases(t);
    const expected = /--to: Expected sqlite:FILE or postgres:\/\//;
    await assertFails(undefined, undefined, /--from and --to are both missing/);
    await assertFails(one.address, 'mysql://u:secret@h/d', expected);
    await assertFails(one.address, 'sqlite:', expected);
    await assertFails(one.address, '', expected);
    await assertFails(one.address, 'postgres://u:secret@h/d?colour=red', /--to: Invalid address: .*colour/);
    await assertFails(one.address, 'postgres://u:secret%@h/d', /--to: Invalid address: .*%25/);
    await assertFails(one.address, one.address, /--from and --to name the same database\./);
    const file = one.address.slice('sqlite:'.length);
    await assertFails(
      one.address,
      `sqlite:${join(file, '..', '.', 'tradepost.db')}`,
      /name the same database\./,
    );
  });

  it('files that are missing or not a database', async (t) => {
    const { one, other } = await newCopyDatabases(t);
    const directory = await temporaryDirectory(t);
    await writeFile(join(directory, 'text'), 'This is no database. '.repeat(100), { mode: 0o644 });
    await mkdir(join(directory, 'folder'));
    for (const name of ['nothing', 'folder']) {
      await assertFails(`sqlite:${name}`, other.address, /--from: There is no database file/, directory);
    }
    await assertFails(
      'sqlite:text',
      other.address,
      /--from: .* text cannot be used: file is not a database\./,
      directory,
    );
    await assertFails(
      one.address,
      'sqlite:text',
      /--to: .* text cannot be used: file is not a database\./,
      directory,
    );
    await assertFails(one.address, 'sqlite:folder', /--to: /, directory);
    await assertFails(one.address, 'sqlite:no/where', /--to: .*no\/where cannot be used/, directory);
    assert.equal((await stat(join(directory, 'text'))).mode & 0o777, 0o644);
  });

  it('databases of other programs', async (t) => {
    const { one, other } = await newCopyDatabases(t);
    const directory = await temporaryDirectory(t);
    const file = join(directory, 'theirs.db');
    const theirs = new DatabaseSync(file);
    theirs.exec('CREATE TABLE notes (text)');
    theirs.close();
    const before = await readFile(file);
    await assertFails(`sqlite:${file}`, other.address, /--from: The database belongs to another program/);
    await assertFails(one.address, `sqlite:${file}`, /--to: The database belongs to another program/);
    assert.deepEqual(await readFile(file), before);
    const server = sql(other.address, { max: 1 });
    t.after(() => server.end());
    await server`CREATE TABLE notes (text text)`;
    await assertFails(one.address, other.address, /--to: The database belongs to another program/);
  });

  it('a source with an older or a newer schema', async (t) => {
    const { one, other } = await newCopyDatabases(t);
    const file = new DatabaseSync(one.address.slice('sqlite:'.length));
    t.after(() => file.close());
    file.exec(
      'UPDATE tradepost_migrations SET version = 100 WHERE version = (SELECT max(version) FROM tradepost_migrations)',
    );
    await assertFails(
      one.address,
      other.address,
      /--from: The database has schema version 100, .* the newer version/,
    );
    file.exec('DELETE FROM tradepost_migrations WHERE version = 100');
    await assertFails(
      one.address,
      other.address,
      /--from: .* schema version \d+, .* Run “tradepost migrate” on it first\./,
    );
  });

  it('a source that is itself an unfinished copy', async (t) => {
    const { one, other } = await newCopyDatabases(t);
    const file = new DatabaseSync(one.address.slice('sqlite:'.length));
    t.after(() => file.close());
    file.exec('CREATE TABLE tradepost_copy (run text)');
    await assertFails(one.address, other.address, /--from: The database contains an unfinished copy/);
  });

  it('a target that contains data', async (t) => {
    const { one } = await newCopyDatabases(t);
    const { one: full } = await newCopyDatabases(t);
    const database = await openCopyDatabase(t, full);
    const before = await readTables(database);
    await assertFails(one.address, full.address, /--to: The database already has merchants/);
    assert.deepEqual(await readTables(database), before);
  });

  it('a server that is unavailable, or rejects the connection', async (t) => {
    const { one, other } = await newCopyDatabases(t);
    await assertFails(
      one.address,
      'postgres://u:secret@127.0.0.1:1/d',
      /--to: .* cannot be used: .*DATABASE_WAIT/,
    );
    await assertFails(
      'postgres://u:secret@127.0.0.1:1/d',
      other.address,
      /--from: .* cannot be used: .*DATABASE_WAIT/,
    );
    const missing = new URL(other.address);
    missing.pathname = '/no_such_database';
    await assertFails(
      one.address,
      missing.href,
      /--to: The database server at .* rejected the connection: .*no_such_database/,
    );
  });
});

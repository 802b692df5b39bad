import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { AuditList, ConsoleSession, KeyList, SessionList } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/database.ts';
import type { Product } from '../../src/products/record/product.ts';
import type { ScheduleList } from '../../src/sales/list-schedules.ts';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { VERSION } from '../../src/version.ts';
import { ConsoleClient } from '../support/console.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import {
  expiredToken,
  fixtureEmail,
  fixtureMerchants,
  fixtureVersions,
  loadFixture,
  observe,
  type Recording,
  readRecording,
  repeatedCampaign,
  revokedToken,
} from '../support/fixtures.ts';
import { type Owner, tradepost } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { onDatabaseAsItIs } from '../support/stored.ts';

const [harbour, tidal] = fixtureMerchants;

/** Counts the rows of every table, except counters of product lists that are 0, which newer versions delete. */
const countRows = (environment: Record<string, string>): Promise<Record<string, number>> =>
  onDatabaseAsItIs(environment, async (database) => {
    const counts: Record<string, number> = {};
    for (const { name } of await database.all(database.dialect.listTables)) {
      const where = name === 'product_counts' ? 'WHERE products > 0' : '';
      const count = statement<unknown, { rows: number }>(`SELECT count(*) AS rows FROM ${name} ${where}`);
      counts[name] = (await database.first(count))?.rows ?? Number.NaN;
    }
    return counts;
  });

/** Starts the current service on a fixture, which migrates it. It stops after the test. */
async function upgrade(t: Owner, engine: Engine, version: string): Promise<TestService> {
  const environment = await loadFixture(t, engine, version);
  const service = await startTestService({ ...engine, environment: async () => environment });
  t.after(() => service.close());
  return service;
}

async function run(service: TestService, commandLine: string[]): Promise<string> {
  const { status, stdout, stderr } = await tradepost(commandLine, service.environment);
  assert.equal(status, 0, stderr);
  return stdout;
}

it('every release before this one has a fixture', async () => {
  const changelog = await readFile(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version = '']) => version);
  const missing = versions.filter((version) => version !== VERSION && !fixtureVersions.includes(version));
  assert.deepEqual(missing, []);
  assert.ok(versions.includes(VERSION) && fixtureVersions.includes('0.1.0'));
});

for (const version of fixtureVersions) {
  describe(`a database of version ${version}`, () => {
    let recording: Recording;
    before(async () => {
      recording = await readRecording(version);
    });

    forEachEngine((engine) => {
      it('keeps every row', async (t) => {
        const environment = await loadFixture(t, engine, version);
        const rows = await countRows(environment);
        assert.ok(Object.keys(rows).length >= 20);
        assert.equal((await tradepost(['migrate'], environment)).status, 0);
        const { tradepost_migrations: migrations, ...others } = await countRows(environment);
        for (const [table, count] of Object.entries(rows))
          if (table !== 'tradepost_migrations') assert.equal(others[table], count, table);
      });

      it('gets the responses and exports that it got before', async (t) => {
        const service = await upgrade(t, engine, version);
        const observations = await observe(
          (path) => service.request('GET', path),
          (commandLine) => run(service, commandLine),
        );
        assert.deepEqual(observations, recording.observations);
      });

      it('finds every product that it had by its words', async (t) => {
        const service = await upgrade(t, engine, version);
        let found = 0;
        for (const merchant of fixtureMerchants) {
          const products = (await service.get('/products.json', merchant)).json<Product[]>();
          for (const { identifier, status, title, variations } of products) {
            const queries = [identifier, title, ...variations.map((variation) => variation.identifier)];
            for (const query of queries.filter((text) => text !== null)) {
              const wanted = { query, ...(status === 'deleted' && { status }) };
              const response = await service.get('/products/search.json', merchant, wanted);
              const results = response.json<Product[]>();
              assert.ok(
                results.some((product) => product.identifier === identifier),
                query,
              );
              found += 1;
            }
          }
        }
        assert.ok(found > 20);
      });

      it('keeps working, revoked and expired keys', async (t) => {
        const service = await upgrade(t, engine, version);
        const statusOf = async (token: string): Promise<number> =>
          (await service.get('/products.json', { token })).status;
        for (const { token } of fixtureMerchants) assert.equal(await statusOf(token), 200);
        assert.equal(await statusOf(revokedToken), 401);
        assert.equal(await statusOf(expiredToken), 401);
      });

      it('keeps the user’s password and session, keys and audit log', async (t) => {
        const service = await upgrade(t, engine, version);
        const client = new ConsoleClient(service.client);
        await client.signIn(fixtureEmail);
        const earlier = new ConsoleClient(service.client);
        for (const [name, value] of Object.entries(recording.cookies)) earlier.cookies.set(name, value);
        const { user, merchant } = (await earlier.get('/session')).json<ConsoleSession>();
        assert.deepEqual([user.email, merchant.name], [fixtureEmail, harbour.name]);
        assert.equal(merchant.time_zone, 'Europe/Amsterdam');
        const { sessions } = (await earlier.get('/sessions')).json<SessionList>();
        assert.deepEqual(sessions.map(({ current }) => current).sort(), [false, true]);
        const { keys } = (await client.get('/keys')).json<KeyList>();
        assert.deepEqual(
          keys.map(({ name, state }) => `${name}: ${state}`),
          ['Trial: expired', 'Old ERP: revoked', 'ERP: active', 'default: active'],
        );
        const { entries } = (await client.get('/audit')).json<AuditList>();
        assert.deepEqual(
          entries.map(({ action }) => action),
          [
            'user.signed_in',
            'user.signed_in',
            'user.password_changed',
            'key.imported',
            'key.revoked',
            'key.imported',
            'key.imported',
            'user.invited',
            'key.created',
          ],
        );
      });

      it('keeps a ban when a file states a new stock, and takes the file’s other changes', async (t) => {
        const service = await upgrade(t, engine, version);
        const find = async (identifier: string): Promise<Product | undefined> => {
          const products = (await service.get('/products.json', harbour)).json<Product[]>();
          return products.find((product) => product.identifier === identifier);
        };
        assert.equal((await find('STATUS-banned'))?.status, 'banned');
        const file = join(service.config.dataDirectory, 'products.csv');
        const rows = ['identifier,title,available_quantity', 'STATUS-banned,Renamed,90', 'NEW,New,3'];
        await writeFile(file, `${rows.join('\n')}\n`);
        await run(service, ['import', 'products', file, '--merchant', harbour.name]);
        const banned = await find('STATUS-banned');
        assert.deepEqual(
          [banned?.status, banned?.title, banned?.available_quantity],
          ['banned', 'Renamed', 90],
        );
        assert.equal((await find('NEW'))?.internal_id, 11);
        const list = await service.get('/products.json', harbour, { pagination: 'true', status: 'banned' });
        assert.equal(list.json<{ total_entries: number }>().total_entries, 1);
      });

      it('lists the schedules that it had, all of them as changes', async (t) => {
        const service = await upgrade(t, engine, version);
        for (const merchant of fixtureMerchants) {
          const list = async (query: Record<string, string>) =>
            (await service.get('/schedules', merchant, query)).json<ScheduleList>();
          const output = await run(service, ['export', 'schedules', '--merchant', merchant.name]);
          const exported = output
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
          const { results, more } = await list({ changed_since: 'start' });
          assert.deepEqual([results, more], [exported, false]);
          assert.ok(results.every((schedule) => schedule.variation_identifier === null));
          const months = (await service.get('/performance/sales', merchant)).json<MonthlySales[]>();
          for (const { month, schedules } of months) {
            assert.equal((await list({ month })).results.length, schedules, month);
          }
        }
      });

      it('takes schedules and campaigns, and repeats the response to an earlier idempotency key', async (t) => {
        const service = await upgrade(t, engine, version);
        const file = join(service.config.dataDirectory, 'schedules.csv');
        const header = 'schedule_id,product_identifier,scheduled_at,sold,sale_price,rating';
        await writeFile(file, `${header}\nS-2,KETTLE,2026-02-01T00:00:00Z,true,4.5,4\n`);
        await run(service, ['import', 'schedules', file, '--merchant', tidal.name]);
        assert.deepEqual((await service.get('/performance/sales.json', tidal)).json(), [
          { month: '2026-02', schedules: 2, sell_rate: 1, asp: 20, product_rating: 4.5, total_sales: 40 },
        ]);

        service.passTime(recording.recordedAt - service.now());
        const exportCampaigns = () => run(service, ['export', 'campaigns', '--merchant', harbour.name]);
        const campaigns = await exportCampaigns();
        const create = (name: string) =>
          service.request('POST', '/campaigns.json', {
            ...repeatedCampaign,
            json: { access_token: harbour.token, ...repeatedCampaign.json, name },
          });
        const repeated = await create('Spring');
        assert.equal(repeated.status, 200);
        assert.equal(Object.keys(repeated.json<object>()).length, 8);
        assert.equal(repeated.headers.location, undefined);
        assert.equal(await exportCampaigns(), campaigns);
        assert.equal((await create('Another')).status, 400);
        const added = await service.request('POST', '/campaigns.json', {
          json: { access_token: harbour.token, name: 'Summer', type: 'AuctionCampaign' },
        });
        assert.equal(added.status, 200, added.text);
        assert.match((await exportCampaigns()).slice(campaigns.length), /^[^\n]*Summer[^\n]*\n$/);
      });

      it('lists its campaigns, with the time of their creation as that of their last change, and changes them', async (t) => {
        const service = await upgrade(t, engine, version);
        const listed = async (status: string): Promise<Campaign[]> =>
          (await service.get('/campaigns', harbour, { status })).json<Campaign[]>();
        const active = await listed('Active');
        const exported = await run(service, ['export', 'campaigns', '--merchant', harbour.name]);
        assert.ok(active.length > 0);
        assert.equal(
          exported,
          active
            .map((each) => `${JSON.stringify(each)}\n`)
            .toReversed()
            .join(''),
        );
        for (const { internal_id, created_at, updated_at } of active) {
          assert.equal(updated_at, created_at);
          const form = { access_token: harbour.token, internal_id };
          assert.equal((await service.request('POST', '/campaigns/pause', { form })).status, 200);
        }
        const ids = (campaigns: Campaign[]): string[] => campaigns.map(({ internal_id: id }) => id);
        assert.deepEqual([await listed('Active'), ids(await listed('Paused'))], [[], ids(active)]);
      });
    });
  });
}

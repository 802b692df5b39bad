import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hashToken } from '../../src/api-keys/token.ts';
import { TokenVerifier } from '../../src/api-keys/verify-token.ts';
import { statement } from '../../src/database/database.ts';
import { initialSchema } from '../../src/database/migrations/0001-initial-schema.ts';
import { dialect } from '../../src/database/postgres/dialect.ts';
import { CitusCluster, withoutCitus } from '../support/citus-cluster.ts';
import { temporaryDirectory } from '../support/process.ts';
import { onDatabase } from '../support/stored.ts';

/** What the guide of version 0.1.0 told operators to run. */
const OLD_GUIDE = [
  ...['merchants', 'access_tokens', 'tradepost_migrations'].map(
    (name) => `SELECT create_reference_table('${name}')`,
  ),
  "SELECT create_distributed_table('api_keys', 'merchant_id')",
  ...[
    'products',
    'product_counts',
    'variations',
    'campaigns',
    'idempotency_keys',
    'schedules',
    'sales_months',
  ].map((name) => `SELECT create_distributed_table('${name}', 'merchant_id', colocate_with => 'api_keys')`),
];
const NOW = Date.UTC(2026, 0, 1);

it('a cluster that was distributed by the first guide is migrated with its data, and again without effect', {
  skip: withoutCitus,
}, async (t) => {
  const cluster = await CitusCluster.start(t);
  const tokens = ['tp_first', 'tp_second'] as const;
  for (const sql of [
    ...initialSchema(dialect),
    'CREATE TABLE tradepost_migrations (version bigint NOT NULL PRIMARY KEY, applied_at bigint NOT NULL)',
    `INSERT INTO tradepost_migrations VALUES (1, ${NOW})`,
    ...OLD_GUIDE,
    `INSERT INTO merchants VALUES (1, 'One', NULL, 'UTC', ${NOW}, 77, 5, 6, 1), (2, 'Two', NULL, 'UTC', ${NOW}, 88, 0, 0, 1)`,
    `INSERT INTO api_keys (merchant_id, id, name, token_start, token_end, created_at, expires_at, revoked_at)
     VALUES (1, 1, 'default', 'tp', 'st', ${NOW}, NULL, NULL), (2, 1, 'default', 'tp', 'nd', ${NOW}, NULL, ${NOW})`,
    ...tokens.map(
      (token, index) =>
        `INSERT INTO access_tokens VALUES ('\\x${hashToken(token).toString('hex')}', ${index + 1}, 1)`,
    ),
  ]) {
    await cluster.query(sql);
  }

  const environment = { DATABASE_URL: cluster.coordinator.url, DATA_DIR: await temporaryDirectory(t) };
  for (let time = 1; time <= 2; time += 1) {
    await onDatabase(environment, async (database) => {
      const verifier = TokenVerifier.ofMerchants(database, () => NOW);
      assert.deepEqual(await verifier.verify('tp_first'), {
        merchantId: 1,
        keyId: 1,
        key: '1-1',
        scopes: ['read', 'campaigns'],
        catalogRevision: 77,
      });
      assert.equal(await verifier.verify('tp_second'), undefined, 'revoked');
      const counters = statement<unknown, unknown>(
        `SELECT merchant_id, catalog_revision, last_product_id, last_variation_id, last_key_id
         FROM merchant_counters ORDER BY merchant_id`,
      );
      assert.deepEqual(await database.all(counters), [
        { merchant_id: 1, catalog_revision: 77, last_product_id: 5, last_variation_id: 6, last_key_id: 1 },
        { merchant_id: 2, catalog_revision: 88, last_product_id: 0, last_variation_id: 0, last_key_id: 1 },
      ]);
    });
  }

  const tables = await cluster.query<{ name: string; kind: string; group: number }>(
    `SELECT table_name::text AS name, citus_table_type AS kind, colocation_id AS "group" FROM citus_tables`,
  );
  assert.ok(tables.length >= 14);
  assert.deepEqual(new Set(tables.map(({ kind }) => kind)), new Set(['distributed']));
  assert.equal(new Set(tables.map(({ group }) => group)).size, 1, 'all rows of a merchant are on one node');
});

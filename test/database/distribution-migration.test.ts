import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createKey } from '../../src/api-keys/create-key.ts';
import { revokeKey } from '../../src/api-keys/revoke-key.ts';
import { TokenVerifier } from '../../src/api-keys/verify-token.ts';
import { type Database, statement } from '../../src/database/database.ts';
import { distribution } from '../../src/database/migrations/0010-distribution.ts';
import { followChanges } from '../../src/database/migrations/0012-changes.ts';
import { operatorApi } from '../../src/database/migrations/0018-operator.ts';
import { events } from '../../src/database/migrations/0019-events.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const COUNTERS = ['catalog_revision', 'last_product_id', 'last_variation_id', 'last_key_id'];

/** Turns tables of this version into those of the version before the migration, with the same data. */
const toVersion9 = [
  ...COUNTERS.flatMap((column) => [
    `ALTER TABLE merchants ADD COLUMN ${column} bigint NOT NULL DEFAULT 0`,
    `UPDATE merchants SET ${column} = (SELECT c.${column} FROM merchant_counters c WHERE c.merchant_id = merchants.id)`,
  ]),
  ...['key_id', 'expires_at', 'revoked_at'].flatMap((column) => [
    `ALTER TABLE access_tokens ADD COLUMN ${column} bigint`,
    `UPDATE access_tokens SET ${column} =
       (SELECT t.${column} FROM key_tokens t WHERE t.token_hash = access_tokens.token_hash)`,
  ]),
  'DROP TABLE merchant_counters',
  'DROP TABLE key_tokens',
  'CREATE INDEX access_tokens_by_key ON access_tokens (merchant_id, key_id)',
  'CREATE INDEX access_tokens_by_end ON access_tokens (merchant_id, revoked_at, expires_at, key_id)',
];

async function readAll(database: Database): Promise<unknown[][]> {
  const read = (table: string, columns = '*'): Promise<unknown[]> =>
    database.all(statement<unknown, unknown>(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`));
  const counters = read('merchant_counters', ['merchant_id', ...COUNTERS].join(', '));
  return await Promise.all([read('merchants'), counters, read('access_tokens'), read('key_tokens')]);
}

forEachEngine((engine) => {
  const store = useDatabase(engine);

  it('the migration to a distributed schema keeps revisions, counters and the states of tokens', async () => {
    const { database, now } = store();
    const [merchant, other] = [await store().newMerchant(), await store().newMerchant()];
    await importDrafts(store(), merchant, [[draft('A'), draft('B', {}, [{ identifier: 'V' }])]]);
    const expiring = await createKey(store(), { merchantId: other.id, name: 'a', expiresAt: now() + 1 });
    const revoked = await createKey(store(), { merchantId: other.id, name: 'b', expiresAt: null });
    await revokeKey(store(), revoked.id);
    const before = await readAll(database);
    const revision = await store().revisionOf(merchant);

    await database.transaction(async (connection) => {
      const sqlite = database.version() !== undefined;
      const later = [followChanges, operatorApi, events]
        .flatMap((migration) => migration(database.dialect))
        .filter((sql) => sql.includes('merchant_counters'));
      for (const sql of [...toVersion9, ...distribution(database.dialect), ...later]) {
        const text = sqlite ? sql.replaceAll('bigint', 'integer') : sql;
        await connection.run(statement<unknown, never>(text));
      }
    });

    assert.deepEqual(await readAll(database), before);
    const verifier = TokenVerifier.ofMerchants(database, now);
    assert.equal((await verifier.verify(expiring.token))?.key, expiring.id);
    assert.equal(await verifier.verify(revoked.token), undefined);
    assert.equal(
      (await createKey(store(), { merchantId: other.id, name: 'c', expiresAt: null })).id,
      `${other.id}-4`,
    );
    await importDrafts(store(), merchant, [[draft('C')]]);
    assert.ok((await store().revisionOf(merchant)) > revision);
    const listIds = statement<unknown, { internal_id: number }>(
      'SELECT internal_id FROM products ORDER BY 1',
    );
    assert.deepEqual(
      (await database.all(listIds)).map(({ internal_id }) => internal_id),
      [1, 2, 3],
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { announceExpiringKeys } from '../../src/api-keys/announce-expiring-keys.ts';
import { statement } from '../../src/database/statement.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import { forEachEngine } from '../support/engines.ts';
import type { EventPage } from '../support/events.ts';
import { createKey, revokeKey, rotateKey } from '../support/keys.ts';
import { temporaryDirectory } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { newMerchant, onDatabase } from '../support/stored.ts';
import { useDatabase } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const listAnnounced = statement<{ merchantId: number }, { data: string }>(
  `SELECT data FROM outbox WHERE merchant_id = :merchantId AND type = 'key.expiring' ORDER BY written_at, id`,
);

forEachEngine((engine) => {
  describe('key.expiring', () => {
    const opened = useDatabase(engine);
    const open = async () => {
      const store = opened();
      const { id: merchantId } = await store.newMerchant();
      const newKey = (name: string, days: number) =>
        createKey(store, { merchantId, name, expiresAt: store.now() + days * DAY_MS });
      const announce = async (): Promise<string[]> => {
        await announceExpiringKeys(store.database, store.now());
        const rows = await store.database.all(listAnnounced, { merchantId });
        return rows.map(({ data }) => JSON.parse(data).name);
      };
      return { store, newKey, announce };
    };

    it('is recorded once, in the last seven days of a key', async () => {
      const { store, newKey, announce } = await open();
      await newKey('soon', 7.5);
      await newKey('later', 30);
      assert.deepEqual(await announce(), []);
      store.passTime(DAY_MS);
      assert.deepEqual(await announce(), ['soon']);
      assert.deepEqual(await announce(), ['soon']);
      store.passTime(23 * DAY_MS);
      assert.deepEqual(await announce(), ['soon', 'later']);
    });

    it('is not recorded for a key that is revoked or has expired', async () => {
      const { store, newKey, announce } = await open();
      const { id } = await newKey('revoked', 3);
      await revokeKey(store, id);
      await newKey('expired', 1);
      store.passTime(2 * DAY_MS);
      assert.deepEqual(await announce(), []);
    });

    it('is not recorded for the older token of a key whose newest token does not expire soon', async () => {
      const { store, newKey, announce } = await open();
      const { id } = await newKey('rotated', 30);
      await rotateKey(store, id, store.now() + DAY_MS);
      assert.deepEqual(await announce(), []);
    });

    it('is in the feed when the service starts', async (t) => {
      const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
      const { id: merchantId } = await newMerchant(environment);
      const expiresAt = Date.now() + 5 * DAY_MS;
      const { id } = await onDatabase(environment, (database) =>
        createKey({ database, now: Date.now }, { merchantId, name: 'ERP', expiresAt }),
      );
      await using service = await startTestService({ ...engine, environment: async () => environment });
      const token = await service.newOperatorToken(['events']);
      const event = await until(async () => {
        const { results } = (await service.operator('GET', '/events', token)).json<EventPage>();
        return results.find(({ type }) => type === 'key.expiring');
      });
      assert.deepEqual(event.data, { id, name: 'ERP', expires_at: formatTime(expiresAt) });
    });
  });
});

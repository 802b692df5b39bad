import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { merchantUser, recordAudit } from '../../src/audit/record-audit.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb, type WriteContext } from '../../src/database/write-context.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const findSubjects = statement<{ merchantId: number }, { who: string; at: number; subject: string | null }>(
  `SELECT who, at, subject FROM audit_entries
   WHERE merchant_id = :merchantId AND action = 'product.changed' ORDER BY id`,
);

async function change(context: WriteContext & { prefix: string }, name: string): Promise<string> {
  const subject = `${context.prefix}${name}`;
  await recordAudit(context, { action: 'product.changed', subject });
  if (name === 'fails') throw new Error(name);
  return subject;
}

const ada = merchantUser({ name: 'Ada', email: 'ada@example.com' });

forEachEngine((engine) => {
  const store = useDatabase(engine);

  it('a verb writes for its merchant, author and time, and nothing if it fails', async () => {
    const { id: merchantId } = await store().newMerchant();
    const { database, now } = store();
    const caller = { merchantId, who: ada };
    assert.equal(await runVerb(store(), { ...caller, prefix: 'P-' }, change, '1'), 'P-1');
    await assert.rejects(runVerb(store(), { ...caller, prefix: 'P-' }, change, 'fails'), /^Error: fails$/);
    const entries = await database.all(findSubjects, { merchantId });
    assert.deepEqual(
      entries.map(({ who, at, subject }) => [who, at, subject]),
      [['Ada <ada@example.com>', now(), 'P-1']],
    );
  });

  it('a verb that locks the merchant reads the clock after other processes have released it', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'tradepost-'));
    t.after(() => rm(directory, { recursive: true }));
    const config = parseConfig({ DATA_DIR: directory, ...(await engine.environment()) });
    const [one, other] = [await openDatabase(config, 0), await openDatabase(config, 0)];
    t.after(() => one.close());
    t.after(() => other.close());
    const merchant = { name: 'Shop', email: null, timeZone: 'UTC' };
    const { id: merchantId } = await createMerchant({ database: one, now: Date.now }, merchant);
    const caller = { merchantId, who: ada };
    const order: string[] = [];
    const started = Promise.withResolvers<void>();
    const hold = async (): Promise<void> => {
      started.resolve();
      await pause(200);
      order.push('the first verb ends');
    };
    const readClock = (): number => order.push('the second verb reads the clock');
    const options = { locksMerchant: true };
    const first = runVerb({ database: one, now: Date.now }, caller, hold, undefined, options);
    await started.promise;
    await runVerb({ database: other, now: readClock }, caller, async () => {}, undefined, options);
    await first;
    assert.deepEqual(order, ['the first verb ends', 'the second verb reads the clock']);
  });
});

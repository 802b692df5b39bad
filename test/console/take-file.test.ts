import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { defaultBudgets } from '../../src/budgets/budgets.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { ImportFiles } from '../../src/imports/import-files.ts';
import { storeImport } from '../../src/imports/store-import.ts';
import { takeFile } from '../../src/imports/take-file.ts';
import { forEachEngine } from '../support/engines.ts';
import { temporaryDirectory } from '../support/process.ts';
import { TestDatabase } from '../support/test-database.ts';

forEachEngine((engine) => {
  it('lets a merchant retry immediately after a file that failed', async (t) => {
    const shop = await TestDatabase.open(engine);
    t.after(() => shop.close());
    const { id: merchantId } = await shop.newMerchant();
    const receiving = new Set<number>();
    const seen: boolean[] = [];
    class Files extends ImportFiles {
      override async remove(...parameters: Parameters<ImportFiles['remove']>): Promise<void> {
        await super.remove(...parameters);
        seen.push(receiving.has(merchantId));
      }
    }
    const files = new Files({ dataDirectory: await temporaryDirectory(t) });
    const { database } = shop;
    const taking = { database, files, now: Date.now, receiving, maximumBytes: 10, budgets: defaultBudgets };
    const send = (text: string) => {
      const stream = Readable.from([Buffer.from(text)]);
      const describe = async () => ({ name: 'pots', firstStep: 'checking' }) as const;
      const incoming = { merchantId, createdBy: SERVICE, bytes: 0, describe };
      return takeFile(taking, { ...incoming, stream, abort: () => {} }, async ({ newImport }) => {
        await runVerb(taking, { merchantId, who: SERVICE }, storeImport, newImport);
        return true;
      });
    };
    await assert.rejects(send('x'.repeat(11)), { code: 'file_too_large' });
    assert.deepEqual(seen, [false]);
    await send('x');
    assert.equal(receiving.size, 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { aroundTransactions } from '../../src/database/intercept.ts';
import { insertInto, statement } from '../../src/database/statement.ts';
import { forgetImages } from '../../src/products/images/forget-images.ts';
import { ImageChecks } from '../../src/products/images/image-checks.ts';
import {
  countFailingProducts,
  type DueMerchant,
  type ImageCheckRow,
  listCursors,
  listDueMerchants,
  listFailingProducts,
  type ProductImageRow,
  setProductImage,
} from '../../src/products/images/queries.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const breakRecords = statement<{ merchantId: number }, never>(
  `UPDATE products SET record = '{}' WHERE merchant_id = :merchantId`,
);
const listIds = statement<{ merchantId: number }, { internal_id: number }>(
  'SELECT internal_id FROM products WHERE merchant_id = :merchantId',
);
const countRows = statement<{ merchantId: number }, { images: number; checks: number }>(
  `SELECT (SELECT count(*) FROM product_images WHERE merchant_id = :merchantId) AS images,
     (SELECT count(*) FROM image_checks WHERE merchant_id = :merchantId) AS checks`,
);
const addFailing = insertInto<Omit<ImageCheckRow, 'checked_at'>>('image_checks', [
  'merchant_id',
  'url_hash',
  'url',
  'check_at',
  'failures',
  'problem',
]);

forEachEngine((engine) => {
  const store = useDatabase(engine);

  const checksWith = (check: (url: string) => Promise<void>): ImageChecks =>
    new ImageChecks({
      database: store().database,
      now: store().now,
      random: () => 0.5,
      check: async (url) => {
        await check(url);
        return { problem: null };
      },
      onChecked: () => {},
      onError: (error) => assert.ifError(error),
      hostPauseMs: 0,
    });
  const dueAmong = async (merchants: readonly { id: number }[]): Promise<DueMerchant[]> => {
    const due = await store().database.all(listDueMerchants, { now: store().now(), limit: 1_000 });
    return due.filter(({ merchant_id }) => merchants.some(({ id }) => id === merchant_id));
  };
  /** A merchant's turn, if it is due, and the addresses that it checks. */
  const turnOf = async (merchant: { id: number }): Promise<string[]> => {
    const checked: string[] = [];
    const checks = checksWith(async (url) => void checked.push(url));
    for (const due of await dueAmong([merchant])) await checks.takeTurn(due, () => false);
    return checked;
  };

  describe('the turns of merchants whose images are checked', () => {
    it('do not begin again with a merchant whose turn failed', async () => {
      const [unread, unchecked, other] = [
        await store().newMerchant(),
        await store().newMerchant(),
        await store().newMerchant(),
      ];
      const merchants = [unread, unchecked, other];
      for (const merchant of merchants)
        await importDrafts(store(), merchant, [[draft('A', { primary_image: 'https://a.example/1' })]]);
      await store().database.transaction((connection) =>
        connection.run(breakRecords, { merchantId: unread.id }),
      );
      const failing = checksWith(() => Promise.reject(new Error('no check')));
      for (const merchant of [unread, unchecked]) {
        store().passTime(1);
        const [first] = await dueAmong(merchants);
        assert.equal(first?.merchant_id, merchant.id);
        await assert.rejects(failing.takeTurn(first, () => false));
      }
      const order = (await dueAmong(merchants)).map(({ merchant_id }) => merchant_id);
      assert.deepEqual(order, [other.id, unread.id, unchecked.id]);
    });

    it('read the longest texts of images, with characters that JSON escapes', async () => {
      const merchant = await store().newMerchant();
      const extra_images = `https://a.example/1|http://${'\u0001'.repeat(19_900)}|https://a.example/2`;
      const { rejected } = await importDrafts(store(), merchant, [[draft('A', { extra_images })]]);
      assert.equal(rejected, 0);
      assert.deepEqual((await turnOf(merchant)).sort(), ['https://a.example/1', 'https://a.example/2']);
    });

    it('ask a host at most twice at a time, whatever its ports and its spelling', async () => {
      const merchant = await store().newMerchant();
      const urls = ['https://a.example/1', 'http://a.example:8080/2', 'https://A.example.:8443/3'];
      await importDrafts(store(), merchant, [[draft('A', { extra_images: urls.join('|') })]]);
      let running = 0;
      let most = 0;
      const checks = checksWith(async () => {
        running += 1;
        most = Math.max(most, running);
        await nextTurn();
        running -= 1;
      });
      const [due] = await dueAmong([merchant]);
      await checks.takeTurn(due ?? assert.fail('the merchant is not due'), () => false);
      assert.equal(most, 2);
    });
  });

  describe('images that do not work', () => {
    const addImages = async (
      merchant_id: number,
      images: readonly Omit<ProductImageRow, 'merchant_id'>[],
    ): Promise<void> => {
      const hashes = [...new Set(images.map(({ url_hash }) => url_hash))];
      const check = { check_at: Number.MAX_SAFE_INTEGER, failures: 1, problem: 'is gone.' };
      await store().database.transaction(
        async (connection) => {
          connection.send(
            addFailing,
            hashes.map((url_hash) => ({ merchant_id, url_hash, url: 'https://a.example/', ...check })),
          );
          connection.send(
            setProductImage,
            images.map((image) => ({ merchant_id, ...image })),
          );
        },
        { merchantId: merchant_id },
      );
    };
    const listed = async (merchantId: number, limit: number): Promise<number> =>
      (await store().database.all(listFailingProducts, { merchantId, limit })).length;

    it('are counted and listed up to a limit, if many products have one of them', async () => {
      const merchant = await store().newMerchant();
      await importDrafts(store(), merchant, [['A', 'B', 'C', 'D'].map((identifier) => draft(identifier))]);
      const products = await store().database.all(listIds, { merchantId: merchant.id });
      await addImages(
        merchant.id,
        products.map(({ internal_id: product_id }) => ({ product_id, url_hash: 'one', position: 0 })),
      );
      const count = async (limit: number) => ({
        ...(await store().database.first(countFailingProducts, { merchantId: merchant.id, limit })),
      });
      assert.deepEqual(await count(5), { products: 4, images: 4 });
      assert.deepEqual(await count(3), { products: 3, images: 3 });
      assert.deepEqual([await listed(merchant.id, 5), await listed(merchant.id, 3)], [4, 3]);
    });

    it('are forgotten in parts; if this was interrupted, later checks know all images again', async () => {
      const merchant = await store().newMerchant();
      const primary_image = 'https://a.example/1';
      await importDrafts(store(), merchant, [[draft('A', { primary_image })]]);
      assert.deepEqual(await turnOf(merchant), [primary_image]);
      const many = Array.from({ length: 1_500 }, (_, index) => ({
        ...{ product_id: 1_000_000 + index, position: 0 },
        url_hash: `hash-${index % 700}`,
      }));
      await addImages(merchant.id, many);
      const count = async () => ({
        ...(await store().database.first(countRows, { merchantId: merchant.id })),
      });
      assert.deepEqual(await count(), { images: 1_501, checks: 701 });
      let isInterrupted = false;
      const interrupted = aroundTransactions(store().database, async (run) => {
        const result = await run();
        isInterrupted = (await count()).images !== 1_501;
        return result;
      });
      await forgetImages(interrupted, () => isInterrupted);
      const cursors = await store().database.all(listCursors, { limit: 1_000 });
      assert.ok(cursors.some(({ merchant_id }) => merchant_id === merchant.id));
      assert.deepEqual(await count(), { images: 501, checks: 501 });
      assert.deepEqual(await turnOf(merchant), [primary_image]);
      assert.deepEqual(await count(), { images: 502, checks: 502 });
      await forgetImages(store().database, () => false);
      assert.deepEqual(await count(), { images: 0, checks: 0 });
      assert.deepEqual(await store().database.all(listCursors, { limit: 1 }), []);
    });
  });
});

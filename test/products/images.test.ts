import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import type { ImageProblem } from '../../src/products/images/image-problems.ts';
import type { ProductIssues } from '../../src/products/moderation/moderate-product.ts';
import { forEachEngine } from '../support/engines.ts';
import { images } from '../support/images.ts';
import { startTestService, type TestMerchant, type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

const { png } = images;
const HOUR_MS = 60 * 60 * 1000;

const countRows = statement<unknown, { cursors: number; images: number; checks: number }>(
  `SELECT (SELECT count(*) FROM image_cursors) AS cursors, (SELECT count(*) FROM product_images) AS images,
     (SELECT count(*) FROM image_checks) AS checks`,
);

const write = async (
  service: TestService,
  { token }: { token: string },
  path: string,
  fields: object,
): Promise<void> => {
  const json = path === '' ? { title: 'Vase', ...fields } : fields;
  const headers = { authorization: `Bearer ${token}` };
  const response = await service.request('POST', `/products${path}`, { json, headers });
  assert.equal(response.status, 200, response.text);
};
const problemsOf = async (
  service: TestService,
  owner: { token: string },
  identifier: string,
): Promise<ImageProblem[]> =>
  (await service.get('/products/issues', owner, { identifier })).json<ProductIssues>().image_problems;

forEachEngine((engine) => {
  describe('images of products', () => {
    let server: WebhookReceiver;
    const missing = new Set<string>();
    const asked = (path: string): number => server.received.filter((request) => request.path === path).length;
    before(async () => {
      server = await WebhookReceiver.start();
      server.respond = ({ path }, response) =>
        missing.has(path)
          ? response.writeHead(404).end()
          : response.writeHead(200, { 'content-type': png.type }).end(png.start);
    });
    after(() => server.close());
    const findAddress = addressesOf(() => [server]);
    const service = useService(engine, { environment: { CHECK_IMAGES: 'on' }, findAddress, pollMs: 0 });
    const url = (path: string): string => `https://${server.name}:8443${path}`;
    const problems = (owner: TestMerchant, identifier: string) => problemsOf(service(), owner, identifier);
    const untilProblems = (owner: TestMerchant, identifier: string, count: number) =>
      until(async () => {
        const found = await problems(owner, identifier);
        return found.length === count ? found : undefined;
      });

    it('that do not work are issues of the product, until they work or are replaced', async () => {
      const merchant = await service().newMerchant();
      missing.add('/a').add('/b');
      await write(service(), merchant, '', {
        identifier: 'VASE',
        primary_image: url('/a'),
        extra_images: [url('/ok'), url('/b')].join('|'),
      });
      await write(service(), merchant, '', { identifier: 'POT', primary_image: url('/a') });
      const found = await untilProblems(merchant, 'VASE', 2);
      assert.deepEqual(
        found.map(({ field, message }) => [field, message]),
        [
          ['primary_image', `The image at ${url('/a')} returned 404 Not Found.`],
          ['extra_images', `The image at ${url('/b')} returned 404 Not Found.`],
        ],
      );
      await untilProblems(merchant, 'POT', 1);
      assert.deepEqual([asked('/a'), asked('/ok')], [1, 1], 'one check for each address');

      await write(service(), merchant, '/update', { identifier: 'VASE', extra_images: url('/ok') });
      await untilProblems(merchant, 'VASE', 1);
      missing.delete('/a');
      service().passTime(2 * HOUR_MS);
      await untilProblems(merchant, 'VASE', 0);
      assert.deepEqual(await problems(merchant, 'POT'), []);
      assert.deepEqual([asked('/a'), asked('/ok')], [2, 1]);
    });

    it('of test data are not checked', async () => {
      const merchant = await service().newMerchant();
      const testKey = await service().newTestKey(merchant);
      await write(service(), testKey, '', { identifier: 'TEST', primary_image: url('/of-test') });
      missing.add('/of-live');
      await write(service(), merchant, '', { identifier: 'LIVE', primary_image: url('/of-live') });
      await untilProblems(merchant, 'LIVE', 1);
      assert.equal(asked('/of-test'), 0);
      assert.deepEqual(await problemsOf(service(), testKey, 'TEST'), []);
    });

    it('of one merchant are no issues of another', async () => {
      const [merchant, other] = [await service().newMerchant(), await service().newMerchant()];
      missing.add('/shared');
      for (const owner of [merchant, other])
        await write(service(), owner, '', { identifier: 'SAME', primary_image: url('/shared') });
      await untilProblems(merchant, 'SAME', 1);
      await untilProblems(other, 'SAME', 1);
      await write(service(), other, '/delete', { identifier: 'SAME' });
      await untilProblems(other, 'SAME', 0);
      assert.equal((await problems(merchant, 'SAME')).length, 1);
    });

    it('are forgotten once they are not checked anymore', async () => {
      const merchant = await service().newMerchant();
      missing.add('/forgotten');
      await write(service(), merchant, '', { identifier: 'OLD', primary_image: url('/forgotten') });
      await untilProblems(merchant, 'OLD', 1);
      const environment = { ...service().environment, CHECK_IMAGES: 'off' };
      await service().stop();
      await using off = await startTestService(engine, { environment });
      await until(async () => (await off.database.first(countRows))?.cursors === 0);
      assert.deepEqual({ ...(await off.database.first(countRows)) }, { cursors: 0, images: 0, checks: 0 });
      assert.deepEqual(await problemsOf(off, merchant, 'OLD'), []);
    });
  });
});

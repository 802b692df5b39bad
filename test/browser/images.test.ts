import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Overview } from '../../src/console/catalog-api.ts';
import { ReceiverRefused } from '../../src/webhooks/receiver-address.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage } from './inspect-page.ts';

describeInBrowser('images that do not work', () => {
  const service = useService(sqlite, {
    environment: { CHECK_IMAGES: 'on' },
    findAddress: async (host) => {
      throw new ReceiverRefused(`Couldn’t find ${host}. Check the domain name.`);
    },
  });
  const open = useBrowser(service);

  it('are found from the overview, and each says why beside the pictures', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    // Browsers do not load images over http in the console.
    const primary_image = 'http://images.gone.example/a-long-name-of-a-picture-that-nobody-has-anymore.jpg';
    await importDrafts(service(), merchant, [
      [draft('VASE', { title: 'Vase', primary_image }), draft('POT', { title: 'Pot' })],
    ]);
    await until(async () =>
      (await as.get('/overview'))
        .json<Overview>()
        .attention.some(({ concern }) => concern === 'images_failing'),
    );
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/');
    await page.getByRole('link', { name: /^1 product with images to check/ }).click();
    await visitor.sees('Products');
    await page.getByRole('button', { name: 'Remove filter: Images to check' }).waitFor();
    const table = page.getByRole('table');
    const vase = table.getByRole('link', { name: 'Vase' }).first();
    await vase.waitFor();
    assert.equal(await table.getByText('Pot').count(), 0);
    await inspectPage(visitor, 'products-images');
    await vase.click();
    await visitor.sees('Vase');
    const list = page.getByRole('list', { name: 'Images to check' });
    await list
      .getByText(`The image at ${primary_image} didn’t load. Couldn’t find images.gone.example.`)
      .waitFor();
    await list.scrollIntoViewIfNeeded();
    await inspectPage(visitor, 'product-images');
    await page.getByLabel('Main image').fill('');
    await list.waitFor({ state: 'detached' });
  });
});

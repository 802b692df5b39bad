import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ProductIssues } from '../../src/products/moderation/moderate-product.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { inspectPage, SOME_THEMES } from './inspect-page.ts';
import { choose, untilFocused } from './keyboard.ts';

const DESCRIPTION = 'Blown glass, made by hand. Wash it with cold water.\nEach vase is a little different.';

const openProduct = (visitor: Visitor, title: string): Promise<void> =>
  visitor.page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();

function callsOf(service: () => TestService) {
  const write = async (merchant: TestMerchant, path: string, json: object): Promise<void> => {
    const headers = { authorization: `Bearer ${merchant.token}` };
    const response = await service().request('POST', path, { json, headers });
    assert.equal(response.status, 200, response.text);
    service().passTime(60_000);
  };
  const create = (
    merchant: TestMerchant,
    identifier: string,
    title: string,
    more: object = {},
  ): Promise<void> => write(merchant, '/products', { identifier, title, ...more });
  const issuesOf = async (merchant: TestMerchant, identifier: string): Promise<ProductIssues> =>
    (await service().get('/products/issues', merchant, { identifier })).json<ProductIssues>();
  const decideByApi = async (lines: object[]): Promise<void> => {
    const token = await service().newOperatorToken();
    assert.equal((await service().operator('POST', '/moderation', token, { json: lines })).status, 200);
  };
  return { write, create, issuesOf, decideByApi };
}

describeInBrowser('a queue of two merchants', () => {
  const service = useService(sqlite, { environment: { MODERATION_QUEUE: 'on' } });
  const open = useBrowser(service);
  const { write, create, issuesOf, decideByApi } = callsOf(service);

  it('approves, finds problems, bans, and decides about many at once, with the keyboard alone', async (t) => {
    const merchant = await service().newMerchant();
    const other = await service().newMerchant();
    const picture = `${new URL(service().baseUrl).origin}/operator/favicon.svg`;
    const values = {
      category: 'Home | Vases',
      description: DESCRIPTION,
      retail_price: 24.5,
      brand: 'Northwind',
    };
    await create(merchant, 'V-0', 'Green vase', values);
    await decideByApi([{ merchant: String(merchant.id), identifier: 'V-0', state: 'ok' }]);
    await write(merchant, '/products/update', {
      identifier: 'V-0',
      title: 'Emerald vase',
      retail_price: 2450,
      primary_image: picture,
    });
    for (const number of [1, 2, 3]) await create(merchant, `V-${number}`, `Vase ${number}`, values);
    for (const number of [1, 2, 3]) await create(other, `P-${number}`, `Pot ${number}`, { category: 'Home' });

    // The first operator has to be an admin.
    await signedInOperator(service());
    const { client } = await signedInOperator(service(), 'support');
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    const { keyboard } = page;
    await visitor.goTo('/moderation');
    await visitor.sees('Moderation');
    await openProduct(visitor, 'Emerald vase');
    await visitor.reads('$24.50');
    await visitor.reads('$2,450.00');
    await inspectPage(visitor, 'moderation');

    await keyboard.press('j');
    await openProduct(visitor, 'Vase 1');
    await keyboard.press('k');
    await openProduct(visitor, 'Emerald vase');
    await keyboard.press('a');
    await visitor.reads('Emerald vase approved.');
    await openProduct(visitor, 'Vase 1');

    await keyboard.press('p');
    await page.getByRole('dialog').waitFor();
    await untilFocused(visitor, /front/);
    await inspectPage(visitor, 'moderation-reasons', SOME_THEMES);
    await keyboard.press('1');
    await keyboard.press('4');
    await keyboard.press('Enter');
    await visitor.reads('Vase 1 marked as problematic.');
    await openProduct(visitor, 'Vase 2');
    const { state, reasons } = await issuesOf(merchant, 'V-1');
    assert.deepEqual(
      [state, ...reasons.map(({ code }) => code)],
      ['problematic', 'image_missing', 'category_wrong'],
    );

    await keyboard.press('b');
    await page.getByRole('dialog').waitFor();
    await untilFocused(visitor, /front/);
    await keyboard.press('6');
    await keyboard.press('Enter');
    await visitor.reads('Vase 2 banned.');
    assert.equal((await issuesOf(merchant, 'V-2')).state, 'banned');
    await openProduct(visitor, 'Vase 3');

    await keyboard.press('j');
    await openProduct(visitor, 'Pot 1');
    for (const next of ['Pot 2', 'Pot 3']) {
      await keyboard.press('x');
      await keyboard.press('j');
      await openProduct(visitor, next);
    }
    await keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Pot 1').waitFor();
    assert.equal(await dialog.getByRole('listitem').count(), 2);
    await untilFocused(visitor, 'Approve 2 products');
    await keyboard.press('Enter');
    await visitor.reads('2 products approved.');
    await openProduct(visitor, 'Pot 3');
    await choose(visitor, 'Select all 2');
    await keyboard.press('a');
    await untilFocused(visitor, 'Approve 2 products');
    await keyboard.press('Enter');
    await visitor.reads('Nothing waits for a review');
    await inspectPage(visitor, 'moderation-empty');
  });
});

describeInBrowser('the page Moderation', () => {
  const service = useService(sqlite, { environment: { MODERATION_QUEUE: 'on' } });
  const open = useBrowser(service);
  const { write, create } = callsOf(service);

  it('does not apply a decision to what the operator has not seen', async (t) => {
    const merchant = await service().newMerchant();
    await create(merchant, 'A', 'Lamp');
    const { client } = await signedInOperator(service(), 'admin');
    const visitor = await open(t, { as: client, base: '/operator' });
    await visitor.goTo(`/moderation?merchant=${merchant.id}`);
    await openProduct(visitor, 'Lamp');
    await write(merchant, '/products/update', { identifier: 'A', title: 'Other lamp' });
    await visitor.page.getByRole('button', { name: 'Approve' }).click();
    await visitor.reads(
      'Lamp: the product has changed, or was reviewed, since you read the queue; read it again',
    );
    await openProduct(visitor, 'Other lamp');
    await visitor.page.getByRole('button', { name: 'Approve' }).click();
    await visitor.reads('Nothing waits for a review');
    await visitor.follow('Show all merchants');
  });

  it('viewers see the queue, and no decisions', async (t) => {
    const merchant = await service().newMerchant();
    await create(merchant, 'A', 'Lamp');
    const { client } = await signedInOperator(service(), 'viewer');
    const visitor = await open(t, { as: client, base: '/operator' });
    await visitor.goTo(`/moderation?merchant=${merchant.id}`);
    await openProduct(visitor, 'Lamp');
    await visitor.reads('Only admins and support can decide about products.');
    await visitor.page.keyboard.press('a');
    assert.equal(await visitor.page.getByRole('button', { name: 'Approve' }).count(), 0);
    assert.equal(await visitor.page.getByRole('checkbox').count(), 0);
  });
});

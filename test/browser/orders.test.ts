import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { Shop } from '../orders/orders-support.ts';
import { auditLogOf } from '../support/audit.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { choose, fill, tabTo, untilFocused, untilFocusKept } from './keyboard.ts';

const HOUR_MS = 3_600_000;

describeInBrowser('the pages of orders', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  const inHours = (hours: number): string => new Date(service().now() + hours * HOUR_MS).toISOString();
  const reveals = async (as: ConsoleClient): Promise<string[]> => {
    const entries = await auditLogOf(service(), as);
    return entries.flatMap(({ action, subject }) =>
      action === 'order.customer_revealed' ? [`${subject}`] : [],
    );
  };
  const inDialog = ({ page }: Visitor, button: string): Promise<void> =>
    page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
  const rowsOf = async ({ page }: Visitor): Promise<string[]> => {
    const rows = await page.locator('tbody tr').allInnerTexts();
    return rows.map((row) => row.replaceAll(/\s+/g, ' ').trim());
  };

  it('lists what to ship, overdue first, and ships an order with the keyboard alone', async (t) => {
    const shop = await Shop.open(service());
    const later = await shop.push('LATER', { fulfillment_due_date: inHours(60) });
    const late = await shop.push('LATE', { fulfillment_due_date: inHours(-3), product_quantity: 2 });
    const held = await shop.push('HELD', { fulfillment_due_date: inHours(-9) });
    await shop.put('HELD/state', { state: 'held', reason: 'address check' });
    const visitor = await open(t, { as: await signedIn(service(), shop.merchant, 'editor') });
    const { page } = visitor;
    await visitor.goTo('/');
    await visitor.reads('1Overdue');
    await choose(visitor, '1Overdue');
    await visitor.sees('Orders');
    await until(async () => (await rowsOf(visitor)).length === 1);
    assert.match((await rowsOf(visitor))[0] ?? '', new RegExp(`#${late.order_id} `));
    await choose(visitor, 'To ship2');
    await visitor.reads('1–2 of 2 orders');
    const [overdue, first, ...others] = await rowsOf(visitor);
    assert.equal(overdue, 'Overdue 1');
    assert.match(first ?? '', new RegExp(`^Vase #${late.order_id} · VASE-S 2 CA, USA 3 hours late`));
    assert.match(others.at(-1) ?? '', new RegExp(`#${later.order_id} `));

    await choose(visitor, `Ship order ${late.order_id}`);
    await untilFocused(visitor, 'Tracking number *');
    visitor.expectFailure(400, '/v1/orders/fulfill.json');
    await page.keyboard.press('Enter');
    await visitor.reads('Enter the tracking number.');
    await page.keyboard.type('1Z999');
    await fill(visitor, 'Units in the package *', '1');
    await tabTo(visitor, 'Carrier *', 'Shift+Tab');
    await page.keyboard.type('UPS');
    await choose(visitor, 'Ship 1 unit');
    await visitor.reads(`Package of order ${late.order_id} shipped.`);
    await untilFocused(visitor, `Ship order ${late.order_id}`);
    await visitor.reads('1 of 2');
    await page.keyboard.press('Enter');
    await untilFocused(visitor, 'Tracking number *');
    await until(async () => (await visitor.field('Carrier').inputValue()) === 'ups');
    await page.keyboard.type('1Z998');
    await page.keyboard.press('Enter');
    await visitor.reads(`Order ${late.order_id} shipped.`);
    await visitor.reads('1–1 of 1 orders');
    await untilFocusKept(visitor);
    const shipped = await shop.retrieve(late.order_id);
    assert.deepEqual(
      shipped.packages.map(({ carrier, tracking_number: number, quantity }) => [carrier, number, quantity]),
      [
        ['ups', '1Z999', 1],
        ['ups', '1Z998', 1],
      ],
    );
    await choose(visitor, 'On hold1');
    await visitor.reads(`#${held.order_id}`);
    assert.equal(visitor.address, '/orders?status=pending_verification');
  });

  it('finds orders by the customer’s name and by tracking number, in all statuses', async (t) => {
    const shop = await Shop.open(service());
    const { order_id: shipped } = await shop.push('F1', { customer_name: 'Ada Miller' });
    const { order_id: open1 } = await shop.push('F2', { customer_name: 'Ben Miller' });
    await shop.change('fulfill', { order_id: shipped, carrier: 'UPS', tracking_number: '1ZFIND' });
    const openAs = async (role: 'editor' | 'viewer'): Promise<Visitor> => {
      const visitor = await open(t, { as: await signedIn(service(), shop.merchant, role) });
      await visitor.goTo('/orders');
      await visitor.reads('1–1 of 1 orders');
      await visitor.page.keyboard.press('/');
      await untilFocused(visitor, 'Search orders');
      return visitor;
    };
    const editor = await openAs('editor');
    await editor.page.keyboard.type('miller');
    await editor.reads('2 orders');
    assert.equal(editor.address, '/orders?query=miller&status=all');

    const visitor = await openAs('viewer');
    const { page } = visitor;
    await page.keyboard.type('1zfi');
    await page.getByRole('link', { name: 'All 1' }).waitFor();
    assert.match((await rowsOf(visitor)).join(), new RegExp(`#${shipped} .*Shipped.*UPS 1ZFIND`));
    await visitor.follow('To ship 0');
    await visitor.reads('Orders with another status match.');
    await visitor.follow('Search all orders');
    await visitor.reads(`#${shipped}`);
    await visitor.press('Clear search');
    await visitor.reads('1–1 of 1 orders');
    assert.equal(visitor.address, '/orders');
    await page.keyboard.press('Control+K');
    await page.keyboard.type(String(open1));
    await page.getByRole('option', { name: `Order ${open1}` }).click();
    await visitor.sees(`Order ${open1}`);
    await visitor.reads('Only owners and editors can see the name and address.');
    assert.equal(await page.getByRole('button', { name: 'Ship' }).count(), 0);
  });

  it('hides the address until it is asked for, and again once the page is left', async (t) => {
    const shop = await Shop.open(service());
    const { order_id: id } = await shop.push('A1');
    const as = await signedIn(service(), shop.merchant, 'editor');
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(`/orders/${id}`);
    await visitor.reads('CA, USA');
    assert.equal(await page.getByText('1 Main Street').count(), 0);
    assert.deepEqual(await reveals(as), []);
    await choose(visitor, 'Show address');
    await visitor.reads('Springfield, CA 90210');
    await visitor.reads('A. Customer');
    await untilFocusKept(visitor);
    assert.deepEqual(await reveals(as), [String(id)]);
    await page.getByRole('link', { name: 'Orders', exact: true }).first().click();
    await visitor.sees('Orders');
    await page.getByRole('link', { name: 'Vase', exact: true }).click();
    await visitor.reads('Show address');
    assert.equal(await page.getByText('1 Main Street').count(), 0);
    assert.deepEqual(await reveals(as), [String(id)]);
  });

  it('refunds a part, corrects and removes a package, cancels, and keeps a note', async (t) => {
    const shop = await Shop.open(service());
    const { order_id: id } = await shop.push('R1', { product_quantity: 2 });
    const { order_id: other } = await shop.push('R2', { stock: 'reserve' });
    const visitor = await open(t, { as: await signedIn(service(), shop.merchant, 'editor') });
    const { page } = visitor;
    await visitor.goTo(`/orders/${id}`);
    await visitor.press('Ship');
    await visitor.field('Carrier').selectOption({ label: 'UPS' });
    await visitor.field('Tracking number').fill('1ZWRONG');
    await inDialog(visitor, 'Ship');
    await visitor.reads(`Order ${id} shipped.`);
    await visitor.press('Correct package 1ZWRONG');
    await visitor.field('Tracking number').fill('1ZRIGHT');
    await visitor.press('Save');
    await visitor.reads('Package corrected.');
    await visitor.press('Remove package 1ZRIGHT');
    await visitor.press('Remove package');
    await visitor.reads('Nothing shipped yet');

    await visitor.press('Refund');
    await page.getByLabel('A part').check();
    await page.getByLabel('Shipping fee: $5.00').uncheck();
    await visitor.field('Units').fill('1');
    await visitor.press('Refund 1 unit');
    await visitor.reads('Select a reason.');
    await visitor.field('Reason').selectOption('out_of_stock');
    await visitor.press('Refund 1 unit');
    await visitor.reads('Refund of $15.00 requested.');
    await visitor.reads(/Refund requested: \$15\.00, out of stock/);
    const refunded = await shop.retrieve(id);
    assert.deepEqual(refunded.available_refunds, { buyer_fee: 15, shipping_fee: 5 });

    await page.getByRole('textbox', { name: 'Note' }).fill('Gift wrap');
    await visitor.press('Save note');
    await visitor.reads('Note saved.');
    assert.equal((await shop.retrieve(id)).annotation, 'Gift wrap');

    await visitor.goTo(`/orders/${other}`);
    await visitor.press('Cancel order');
    await visitor.field('Reason').selectOption('out_of_stock');
    await inDialog(visitor, 'Cancel order');
    await visitor.reads(`Order ${other} canceled.`);
    assert.equal((await shop.retrieve(other)).status, 'canceled');
    assert.equal(await shop.stockOf('VASE-S'), 5);
    const { order_id: held } = await shop.push('R3');
    await visitor.goTo(`/orders/${held}`);
    await visitor.press('Ship');
    await visitor.field('Tracking number').fill('1Z');
    await shop.put('R3/state', { state: 'held', reason: 'address check' });
    visitor.expectFailure(400, '/v1/orders/fulfill.json');
    await inDialog(visitor, 'Ship');
    await visitor.reads(/^The order \d+ is pending_verification and on hold \(address check\)/);
    visitor.expectFailure(404, '/v1/orders/retrieve.json');
    await visitor.goTo('/orders/999');
    await visitor.sees('Page not found');
  });

  it('prints packing slips without the rest of the page, with an audit entry for each', async (t) => {
    const shop = await Shop.open(service());
    const ids: number[] = [];
    for (const name of ['S1', 'S2', 'S3']) ids.push((await shop.push(name)).order_id);
    await shop.put('S3/state', { state: 'held', reason: 'address check' });
    const as = await signedIn(service(), shop.merchant, 'editor');
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/orders');
    await page.getByLabel('Select page').check();
    await visitor.follow('Print packing slips');
    await visitor.sees('Packing slips');
    const slips = page.getByRole('article');
    await slips.nth(1).waitFor();
    assert.match(await slips.first().innerText(), /A\. Customer\n1 Main Street\nSpringfield, CA 90210/);
    assert.deepEqual((await reveals(as)).sort(), ids.slice(0, 2).map(String));
    await page.emulateMedia({ media: 'print' });
    await slips.first().waitFor();
    for (const hidden of [page.getByRole('navigation').first(), page.getByRole('button', { name: 'Print' })])
      assert.equal(await hidden.isVisible(), false);
    await page.emulateMedia({ media: 'screen' });
    await visitor.goTo(`/orders/slips?ids=${ids.join(',')}`);
    await visitor.reads(`No slip for order ${ids[2]}`);
    assert.equal((await reveals(as)).length, 4);
  });

  it('ships pasted lines, and keeps those that fail for correction', async (t) => {
    const shop = await Shop.open(service());
    const orders: OrderRecord[] = [];
    for (const name of ['B1', 'B2', 'B3']) orders.push(await shop.push(name));
    const [one, two, three] = orders.map(({ order_id: id }) => id);
    const visitor = await open(t, { as: await signedIn(service(), shop.merchant, 'editor') });
    const { page } = visitor;
    await visitor.goTo('/orders');
    await visitor.follow('Ship in bulk');
    const lines = visitor.field('Orders to ship');
    const text = `order_id;carrier;tracking_number\n${one};ups;1ZB1\n${two};Pigeon;1ZB2\n${three};UPS;1ZB3\n`;
    await visitor.upload('shipped.csv', text);
    // The file is read in the background.
    await until(async () => (await lines.inputValue()) === text);
    await visitor.press('Preview 3 lines');
    await visitor.reads('“Pigeon” isn’t a known carrier.');
    // Between the preview and the request, the marketplace holds an order.
    await shop.put('B3/state', { state: 'held', reason: 'address check' });
    await visitor.press('Ship 2 orders');
    await visitor.reads('do not ship it');
    assert.deepEqual((await shop.retrieve(one ?? 0)).tracking_number, '1ZB1');
    await visitor.press('Correct 2 lines');
    const left = `order_id;carrier;tracking_number\n${two};Pigeon;1ZB2\n${three};UPS;1ZB3`;
    await until(async () => (await lines.inputValue()) === left);
    await lines.fill(`${one}, UPS, 1ZB1\n${two}, DHL Express, 1ZB2`);
    await visitor.press('Preview 2 lines');
    await visitor.reads('Already shipped with this number');
    await visitor.press('Ship 2 orders');
    await page.getByRole('heading', { name: 'All lines shipped' }).waitFor();
    await until(async () => (await shop.retrieve(two ?? 0)).status === 'shipped');
    await visitor.follow('Go to orders');
    await visitor.reads('Everything is shipped');
  });
});

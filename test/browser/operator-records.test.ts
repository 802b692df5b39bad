import assert from 'node:assert/strict';
import { it } from 'node:test';
import { listAudit } from '../../src/audit/list-audit.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { orderDraft, pushDrafts } from '../support/orders.ts';
import { useService } from '../support/service.ts';
import { inspectPage } from './inspect-page.ts';

const reasons = [{ code: 'image_missing', message: 'It needs an image.' }];
const customer = { customer_name: 'Given Family', address1: '1 Main Street', city: 'Graz', country: 'AUT' };

describeInBrowser('products and orders of the operator’s screen', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('finds a product of any merchant, and shows what was decided about it', async (t) => {
    const { client } = await signedInOperator(service());
    const [merchant, other] = [await service().newMerchant(), await service().newMerchant()];
    await importDrafts(service(), merchant, [
      [
        draft('VASE-7', { title: 'Blue vase', description: 'A vase.\nHand-made.', retail_price: 24.5 }, [
          { identifier: 'VASE-7-S', size: 'S', color: 'Blue', quantity: 8 },
          { identifier: 'VASE-7-L', size: 'L', quantity: 4 },
        ]),
        draft('LAMP-1', { title: 'Brass lamp', available_quantity: 3 }),
      ],
    ]);
    const drafts = Array.from({ length: 25 }, (_, index) => draft(`BOWL-${index}`, { title: 'Wooden bowl' }));
    await importDrafts(service(), other, [drafts]);
    const path = `/operator/v1/merchants/${merchant.id}/products/VASE-7/moderation`;
    const decided = await client.request('PUT', path, { json: { state: 'problematic', reasons } });
    assert.equal(decided.status, 200, decided.text);

    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/products');
    await visitor.sees('Products');
    await visitor.reads('Wooden bowl');
    await visitor.press('Show more products');
    await visitor.reads('Brass lamp');
    await inspectPage(visitor, 'operator-products');
    await visitor.field('Search products').fill('nothing like it');
    await visitor.reads('No matching products');
    await visitor.field('Search products').fill('vase blu');
    await page.getByRole('link', { name: 'Blue vase' }).waitFor();
    await page.getByText('Wooden bowl').first().waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('problematic');
    await page.waitForURL(/status=problematic/);
    assert.equal(visitor.address, '/products?query=vase+blu&status=problematic');
    await visitor.follow('Blue vase');
    await visitor.sees('Blue vase');
    await visitor.reads('It needs an image.');
    await visitor.reads('VASE-7-S');
    await visitor.reads('$24.50');
    await inspectPage(visitor, 'operator-product');
    await visitor.follow(`Merchant no. ${merchant.id}`);
    await visitor.sees(`Merchant no. ${merchant.id}`);
    await visitor.follow('2');
    await visitor.sees('Products');
    await visitor.reads('Brass lamp');
    await page.getByText('Wooden bowl').first().waitFor({ state: 'detached' });
    await visitor.press('Show all merchants');
    await visitor.reads('Wooden bowl');
  });

  it('holds, releases and erases an order, and shows its customer only to whoever asks', async (t) => {
    const { client, name } = await signedInOperator(service());
    const { client: support } = await signedInOperator(service(), 'support');
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('JAR-7', { title: 'Glass jar' })]]);
    const shipped = { status: 'shipped', carrier: 'UPS', tracking_number: '1Z-9' } as const;
    await pushDrafts(service(), merchant, [
      orderDraft('O-1', { ...customer, product_identifier: 'JAR-7', disbursement_amount: 3100 }),
      orderDraft('O-2', { ...customer, ...shipped, product_identifier: 'JAR-7' }),
    ]);
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo(`/merchants/${merchant.id}`);
    await visitor.follow('Show orders');
    await visitor.sees('Orders');
    await visitor.reads('O-2');
    await visitor.reads('Days begin at midnight, UTC time.');
    await visitor.field('Ordered').selectOption('Since yesterday');
    await visitor.reads('O-2');
    await inspectPage(visitor, 'operator-orders');
    await visitor.field('Search orders').fill('1z-9');
    await page.getByText('O-1').waitFor({ state: 'detached' });
    await visitor.field('Search orders').fill('o-1');
    await visitor.follow('O-1');
    await visitor.sees('Order O-1');
    await visitor.reads('$31.00');
    const dialog = page.getByRole('dialog');

    await visitor.press('Hold');
    await visitor.field('Reason').fill('address check');
    await inspectPage(visitor, 'operator-order-hold');
    await visitor.press('Hold order');
    await visitor.reads('On hold: address check.');
    await visitor.press('Release');
    await visitor.press('Release order');
    await visitor.reads('Order O-1 is released.');
    await page.getByText('On hold: address check.').waitFor({ state: 'detached' });

    assert.equal(await page.getByText('Given Family').count(), 0);
    await visitor.press('Show name and address');
    await visitor.reads('Given Family');
    await inspectPage(visitor, 'operator-order');
    const entry = async (): Promise<string> => {
      const entries = await listAudit(service().database, merchant.id, { limit: 1 });
      return `${entries[0]?.action} by ${entries[0]?.who_kind} ${entries[0]?.who.split(' <')[0]}`;
    };
    assert.equal(await entry(), `order.customer_revealed by operator ${name}`);

    service().passTime(1);
    await visitor.press('Erase customer data');
    await visitor.reads('This can’t be undone.');
    const erase = dialog.getByRole('button', { name: 'Erase for good' });
    assert.ok(await erase.isDisabled());
    await visitor.field('Type the order’s ID to confirm: O-1').fill('O-2');
    assert.ok(await erase.isDisabled());
    await visitor.field('Type the order’s ID to confirm: O-1').fill('O-1');
    await inspectPage(visitor, 'operator-order-erase');
    await erase.click();
    await dialog.waitFor({ state: 'detached' });
    await visitor.reads(/The name and address were erased/);
    await page.getByText('Given Family').waitFor({ state: 'detached' });
    assert.equal(await entry(), `order.redacted by operator ${name}`);

    const helper = await open(t, { as: support, base: '/operator' });
    await helper.goTo(`/orders/${merchant.id}/O-2`);
    await helper.sees('Order O-2');
    await helper.page.getByRole('table').getByText('1Z-9').waitFor();
    await helper.page.getByRole('button', { name: 'Erase customer data' }).waitFor();
    assert.equal(await helper.page.getByRole('button', { name: 'Hold', exact: true }).count(), 0);
  });

  it('offers no orders to a viewer', async (t) => {
    await signedInOperator(service());
    const { client } = await signedInOperator(service(), 'viewer');
    const visitor = await open(t, { as: client, base: '/operator' });
    await visitor.goTo('/products');
    await visitor.sees('Products');
    const navigation = visitor.page.getByRole('navigation', { name: 'Operator' });
    assert.equal(await navigation.getByRole('link', { name: 'Orders' }).count(), 0);
    await visitor.goTo('/orders');
    await visitor.reads('Orders are for admins and support');
    await visitor.goTo('/orders/1/O-1');
    await visitor.reads('Orders are for admins and support');
    await inspectPage(visitor, 'operator-orders-viewer');
  });
});

import type { Shops } from './shops.ts';
import type { View } from './view.ts';

export function orderViews({ orders }: Shops): View[] {
  const { open, partly, held, shipped, refunded } = orders;
  return [
    { name: 'orders', path: '/orders', text: 'Overdue' },
    {
      name: 'orders-selected',
      path: '/orders',
      text: 'Overdue',
      steps: async ({ page }) => {
        await page.getByLabel('Select page').check();
        await page.getByRole('link', { name: 'Print packing slips' }).waitFor();
      },
    },
    { name: 'orders-shipped', path: '/orders?status=shipped', text: 'Delivered' },
    { name: 'orders-found', path: `/orders?status=all&query=${open}`, text: `Order` },
    { name: 'orders-not-found', path: '/orders?status=all&query=nobody', text: 'No matching orders' },
    { name: 'order', path: `/orders/${open}`, text: 'Show address' },
    {
      name: 'order-address',
      path: `/orders/${partly}`,
      text: 'Show address',
      steps: async (visitor) => {
        await visitor.press('Show address');
        await visitor.reads('Example Street');
      },
    },
    { name: 'order-held', path: `/orders/${held}`, text: 'address check' },
    { name: 'order-shipped', path: `/orders/${shipped}`, text: 'Delivered' },
    { name: 'order-refunded', path: `/orders/${refunded}`, text: 'Paid back' },
    {
      name: 'order-ship',
      path: `/orders/${open}`,
      text: 'Show address',
      steps: async (visitor) => {
        await visitor.press('Ship');
        await visitor.field('Carrier').selectOption('other');
        await visitor.field('Carrier name').waitFor();
      },
    },
    {
      name: 'order-refund',
      path: `/orders/${partly}`,
      text: 'Show address',
      steps: async (visitor) => {
        await visitor.press('Refund');
        await visitor.page.getByLabel('A part').check();
        await visitor.field('Units').waitFor();
      },
    },
    {
      name: 'order-cancel',
      path: `/orders/${open}`,
      text: 'Show address',
      steps: async (visitor) => {
        await visitor.press('Cancel order');
        await visitor.page.getByRole('button', { name: 'Keep order' }).waitFor();
      },
    },
    { name: 'slips', path: `/orders/slips?ids=${open},${partly},${held}`, text: 'Example Street' },
    { name: 'ship-enter', path: `/orders/ship?ids=${open},${partly}`, text: 'Orders to ship' },
    {
      name: 'ship-preview',
      path: '/orders/ship',
      text: 'Orders to ship',
      steps: async (visitor) => {
        await visitor.field('Orders to ship').fill(`${open}, UPS, 1Z1\n${partly}, Pigeon, 2\n9999, UPS, 3`);
        await visitor.press('Preview 3 lines');
        await visitor.reads('With problems');
      },
    },
  ];
}

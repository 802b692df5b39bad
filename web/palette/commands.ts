import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Product } from '../../src/products/record/product.ts';
import type { Order } from '../orders/order.ts';
import type { Listing } from '../products/listing.ts';
import { useSavedViews } from '../products/saved-views-store.ts';
import { useAllows } from '../session/role.ts';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { type Command, matching } from './command-palette.tsx';
import { allPages, usePageTitles } from './pages.ts';
import { openOverlay } from './shortcuts.ts';

/** A text that is probably meant for an order, and otherwise for a product. */
const ORDER_ID = /^#?\d+$/;

/** What the server has found for a text. */
interface Found {
  products?: readonly Product[] | undefined;
  orders?: readonly Order[] | undefined;
}

/** Returns the commands that match a text, after the orders and products that the server has found for it. */
export function useCommands(text: string, { products = [], orders = [] }: Found): Command[] {
  const navigate = useNavigate();
  const titleOf = usePageTitles();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const views = useSavedViews();
  const canEdit = useAllows('editor');
  const isSupportView = useSession().support_view !== null;
  const list = (listing: Listing) => () => void navigate({ to: '/products', search: listing });
  const action = (id: string, label: string, run: () => void): Command => ({
    id,
    group: 'Actions',
    label,
    run,
  });
  const foundOrders = orders.map(
    (order): Command => ({
      id: `order-${order.order_id}`,
      group: 'Orders',
      label: `Order ${order.order_id}`,
      hint: order.product_name,
      run: () => void navigate({ to: '/orders/$order', params: { order: String(order.order_id) } }),
    }),
  );
  const found = products.map(
    (product): Command => ({
      id: `product-${product.internal_id}`,
      group: 'Products',
      label: product.title ?? product.identifier,
      hint: product.identifier,
      run: () =>
        void navigate({ to: '/products/$product', params: { product: String(product.internal_id) } }),
    }),
  );
  const others: Command[] = [
    ...allPages
      .filter((to) => to !== '/account' || !isSupportView)
      .map(
        (to): Command => ({
          id: `page-${to}`,
          group: 'Pages',
          label: titleOf(to),
          run: () => void navigate({ to }),
        }),
      ),
    ...views.map(
      ({ name, listing }, index): Command => ({
        id: `view-${index}`,
        group: 'Views',
        label: name,
        run: list(listing),
      }),
    ),
    ...(canEdit
      ? [
          action('new', 'Add product', () => void navigate({ to: '/products/new' })),
          action('ship', 'Ship in bulk', () => void navigate({ to: '/orders/ship' })),
          action('upload', 'Upload products', () => void navigate({ to: '/products/import' })),
        ]
      : []),
    action('to-ship', 'Show orders to ship', () => void navigate({ to: '/orders' })),
    action('low', 'Show products with low stock', list({ status: 'low_inventory' })),
    action('sold-out', 'Show sold-out products', list({ status: 'sold_out' })),
    action('problems', 'Show products that need attention', list({ status: 'problematic' })),
    action('light', 'Use light theme', () => setColorScheme('light')),
    action('dark', 'Use dark theme', () => setColorScheme('dark')),
    action('auto', 'Use system theme', () => setColorScheme('auto')),
    action('shortcuts', 'Show keyboard shortcuts', () => openOverlay.set('shortcuts')),
    ...(isSupportView ? [] : [action('sign-out', 'Sign out', signOut)]),
  ];
  return [
    ...(ORDER_ID.test(text) ? [...foundOrders, ...found] : [...found, ...foundOrders]),
    ...matching(others, text),
  ];
}

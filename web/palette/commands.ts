import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Found } from '../../src/console/catalog-api.ts';
import type { Listing } from '../products/listing.ts';
import { useSavedViews } from '../products/saved-views-store.ts';
import { useAllows } from '../session/role.ts';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { useSwitchShop } from '../session/switch-shop.ts';
import { useIsTestData, useSwitchTestData } from '../test-data/use-test-data.ts';
import { listedPages, usePageTitles } from './pages.ts';
import { type Command, type Ranked, rank } from './rank.ts';
import { openOverlay } from './shortcuts.ts';
import { useRecords } from './use-records.ts';
import { useSections } from './use-sections.ts';

/** A text that is probably meant for an order, and otherwise for a product. */
const ORDER_ID = /^#?\d+$/;

/** Other words for pages. */
const aliases: Readonly<Record<string, string>> = {
  '/': 'Home dashboard start',
  '/sales': 'Revenue figures',
  '/keys': 'Tokens access',
  '/requests': 'Log calls errors usage',
  '/reference': 'Docs documentation endpoints',
  '/activity': 'Audit log history changes',
  '/team': 'Users members roles invitations',
  '/settings': 'Preferences',
  '/account': 'Profile',
};

/** Returns the commands that match a text, with the orders and products that the server has found for it. */
export function useCommands(text: string, { products, orders }: Found): Ranked[] {
  const navigate = useNavigate();
  const pages = usePages();
  const views = useSavedViews();
  const actions = useActions();
  const shops = useShops();
  const sections = useSections(text !== '');
  const records = useRecords(text !== '');
  const foundOrders = orders.map(
    ({ order_id: id, product_name: name }): Command => ({
      id: `order-${id}`,
      group: 'Orders',
      label: `Order ${id}`,
      hint: name,
      run: () => void navigate({ to: '/orders/$order', params: { order: String(id) } }),
    }),
  );
  const foundProducts = products.map(
    ({ internal_id: id, identifier, title }): Command => ({
      id: `product-${id}`,
      group: 'Products',
      label: title ?? identifier,
      hint: identifier,
      run: () => void navigate({ to: '/products/$product', params: { product: String(id) } }),
    }),
  );
  const foundViews = views.map(
    ({ name, listing }, index): Command => ({
      id: `view-${index}`,
      group: 'Views',
      label: name,
      run: () => void navigate({ to: '/products', search: listing }),
    }),
  );
  const isOrder = ORDER_ID.test(text);
  return rank(
    [...pages, ...foundViews, ...actions, ...shops, ...records, ...sections],
    isOrder ? [...foundOrders, ...foundProducts] : [...foundProducts, ...foundOrders],
    text.replace(/^#/, ''),
  );
}

function usePages(): Command[] {
  const navigate = useNavigate();
  const titleOf = usePageTitles();
  const isSupport = useSession().support_view !== null;
  return listedPages
    .filter(({ to }) => to !== '/account' || !isSupport)
    .map(({ to, letter }) => ({
      id: `page-${to}`,
      group: 'Pages',
      label: titleOf(to),
      ...(aliases[to] !== undefined && { alias: aliases[to] }),
      keys: ['G', letter.toUpperCase()],
      run: () => void navigate({ to }),
    }));
}

function useActions(): Command[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const canEdit = useAllows('editor');
  const isTestData = useIsTestData();
  const switchTestData = useSwitchTestData();
  const isSupport = useSession().support_view !== null;
  const list = (listing: Listing) => () => void navigate({ to: '/products', search: listing });
  const action = (id: string, label: string, run: () => void): Command => ({
    id,
    group: 'Actions',
    label,
    run,
  });
  return [
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
    {
      ...action('shortcuts', 'Show keyboard shortcuts', () => openOverlay.set('shortcuts')),
      keys: ['?'],
    },
    ...(switchTestData === undefined
      ? []
      : [
          isTestData
            ? action('live-data', 'Leave test data', () => void switchTestData(false))
            : action('test-data', 'Show test data', () => void switchTestData(true)),
        ]),
    ...(isSupport ? [] : [action('sign-out', 'Sign out', signOut)]),
  ];
}

function useShops(): Command[] {
  const { merchant, shops } = useSession();
  const switchShop = useSwitchShop();
  return shops
    .filter(({ id }) => id !== merchant.id)
    .map(({ id, name }) => ({
      id: `shop-${id}`,
      group: 'Shops',
      label: `Switch to ${name}`,
      run: () => void switchShop(id),
    }));
}

import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Product } from '../../src/products/record/product.ts';
import type { Listing } from '../products/listing.ts';
import { useSavedViews } from '../products/saved-views-store.ts';
import { useAllows } from '../session/role.ts';
import { useSignOut } from '../session/sign-out.ts';
import { allPages, usePageTitles } from './pages.ts';
import { openOverlay } from './shortcuts.ts';

/** Something that the palette can do. */
export interface Command {
  id: string;
  group: 'Products' | 'Pages' | 'Views' | 'Actions';
  label: string;
  hint?: string;
  run: () => void;
}

/** Returns the commands that match a text, after the products that the server has found for it. */
export function useCommands(text: string, products: readonly Product[]): Command[] {
  const navigate = useNavigate();
  const titleOf = usePageTitles();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const views = useSavedViews();
  const canEdit = useAllows('editor');
  const list = (listing: Listing) => () => void navigate({ to: '/products', search: listing });
  const action = (id: string, label: string, run: () => void): Command => ({
    id,
    group: 'Actions',
    label,
    run,
  });
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
    ...allPages.map(
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
          action('upload', 'Upload products', () => void navigate({ to: '/products/import' })),
        ]
      : []),
    action('low', 'Show products with low stock', list({ status: 'low_inventory' })),
    action('sold-out', 'Show sold-out products', list({ status: 'sold_out' })),
    action('problems', 'Show products that need attention', list({ status: 'problematic' })),
    action('light', 'Use light theme', () => setColorScheme('light')),
    action('dark', 'Use dark theme', () => setColorScheme('dark')),
    action('auto', 'Use system theme', () => setColorScheme('auto')),
    action('shortcuts', 'Show keyboard shortcuts', () => openOverlay.set('shortcuts')),
    action('sign-out', 'Sign out', signOut),
  ];
  const words = text.toLowerCase().split(/\s+/);
  return [
    ...found,
    ...others.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word))),
  ];
}

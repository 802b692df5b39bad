import { listedPages, usePageTitles } from './pages.ts';
import { modifier } from './shortcuts.ts';
import { listShortcuts, pageShortcuts, type ShortcutGroup, ShortcutsDialog } from './shortcuts-dialog.tsx';

const general: ShortcutGroup = {
  label: 'Everywhere',
  shortcuts: [
    ['Go to an order, product, page, or action', modifier, 'K'],
    ['Search products or orders', '/'],
    ['Show this list', '?'],
    ['Cancel or close', 'Esc'],
  ],
};
const lists: ShortcutGroup = { label: 'Lists', shortcuts: listShortcuts };
const products: ShortcutGroup = {
  label: 'Products',
  shortcuts: [
    ['Change the focused stock or price', 'Enter'],
    ['Save the product', modifier, 'S'],
  ],
};

/** The shortcuts of the console. */
export function ConsoleShortcuts() {
  const titleOf = usePageTitles();
  const pages = listedPages.map(({ to, letter }) => ({ title: titleOf(to), letter }));
  return (
    <ShortcutsDialog
      groups={[{ label: 'Go to a page', shortcuts: pageShortcuts(pages) }, general, lists, products]}
    />
  );
}

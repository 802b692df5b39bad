import { modifier } from './shortcuts.ts';
import { type Shortcut, ShortcutsDialog } from './shortcuts-dialog.tsx';

const shortcuts: readonly Shortcut[] = [
  ['Go to an order, product, page, or action', modifier, 'K'],
  ['Search products or orders', '/'],
  ['Show this list', '?'],
  ['Product page: save', modifier, 'S'],
  ['List: change the focused stock or price', 'Enter'],
  ['List: save the value', 'Enter'],
  ['Cancel or close', 'Esc'],
];

/** The shortcuts of the console. */
export function ConsoleShortcuts() {
  return <ShortcutsDialog shortcuts={shortcuts} singleKeys="/ and ?" />;
}

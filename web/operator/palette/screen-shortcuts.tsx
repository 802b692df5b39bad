import { modifier } from '../../palette/shortcuts.ts';
import { type Shortcut, ShortcutsDialog } from '../../palette/shortcuts-dialog.tsx';

const shortcuts: readonly Shortcut[] = [
  ['Go to a merchant, page, or action', modifier, 'K'],
  ['Search merchants', '/'],
  ['Show this list', '?'],
  ['Cancel or close', 'Esc'],
];

/** The shortcuts of the operator's screen. The page of moderation lists its own. */
export function ScreenShortcuts() {
  return <ShortcutsDialog shortcuts={shortcuts} singleKeys="/, ?, and the keys of moderation" />;
}

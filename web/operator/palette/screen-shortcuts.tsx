import { useRouter } from '@tanstack/react-router';
import { modifier } from '../../palette/shortcuts.ts';
import {
  listShortcuts,
  pageShortcuts,
  type ShortcutGroup,
  ShortcutsDialog,
} from '../../palette/shortcuts-dialog.tsx';
import { leastRoles, listedPages } from '../pages.ts';
import { useAllows } from '../session.ts';

const general: ShortcutGroup = {
  label: 'Everywhere',
  shortcuts: [
    ['Go to a merchant, page, or action', modifier, 'K'],
    ['Search merchants', '/'],
    ['Show this list', '?'],
    ['Cancel or close', 'Esc'],
  ],
};
const lists: ShortcutGroup = { label: 'Lists', shortcuts: listShortcuts };

/** The shortcuts of the operator's screen. The page of moderation lists its own. */
export function ScreenShortcuts() {
  const { routesByPath } = useRouter();
  const maySupport = useAllows('support');
  const pages = listedPages
    .filter(({ to }) => maySupport || leastRoles[to] !== 'support')
    .map(({ to, letter }) => ({ title: routesByPath[to].options.staticData?.title ?? to, letter }));
  return (
    <ShortcutsDialog groups={[{ label: 'Go to a page', shortcuts: pageShortcuts(pages) }, general, lists]} />
  );
}

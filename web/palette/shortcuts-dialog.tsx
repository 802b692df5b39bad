import { Dialog } from '../ui/dialog.tsx';
import { Keys } from './keys.tsx';
import styles from './palette.module.css';
import { openOverlay } from './shortcuts.ts';
import { SingleKeysSwitch } from './single-keys-switch.tsx';

/** What a shortcut does, and its keys. */
export type Shortcut = readonly [label: string, ...keys: string[]];

export interface ShortcutGroup {
  label: string;
  shortcuts: readonly Shortcut[];
}

/** The shortcuts of lists, which work in the tables of every page. */
export const listShortcuts: readonly Shortcut[] = [
  ['Next row', 'J'],
  ['Previous row', 'K'],
  ['Open the row', 'Enter'],
  ['Select the row, or not', 'X'],
];

/** Returns the shortcuts that open pages. */
export function pageShortcuts(pages: readonly { title: string; letter: string }[]): Shortcut[] {
  return pages.map(({ title, letter }) => [title, 'G', letter.toUpperCase()]);
}

/** All keyboard shortcuts, and a switch for single-key shortcuts. */
export function ShortcutsDialog({ groups }: { groups: readonly ShortcutGroup[] }) {
  return (
    <Dialog title="Keyboard shortcuts" size={760} onClose={() => openOverlay.set(undefined)}>
      <div className={styles.sheet}>
        {groups.map(({ label, shortcuts }) => (
          <table key={label} className={styles.keys}>
            <caption>{label}</caption>
            <tbody>
              {shortcuts.map(([name, ...keys]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>
                    <Keys keys={keys} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
      <div className={styles.switch}>
        <SingleKeysSwitch />
      </div>
    </Dialog>
  );
}

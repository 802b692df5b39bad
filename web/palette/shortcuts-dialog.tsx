import { Checkbox } from '@mantine/core';
import { Dialog } from '../ui/dialog.tsx';
import styles from './palette.module.css';
import { modifier, openOverlay, useSingleKeys } from './shortcuts.ts';

const shortcuts: [label: string, ...keys: string[]][] = [
  ['Go to an order, product, page, or action', modifier, 'K'],
  ['Search products or orders', '/'],
  ['Show this list', '?'],
  ['Product page: save', modifier, 'S'],
  ['List: change the focused stock or price', 'Enter'],
  ['List: save the value', 'Enter'],
  ['Cancel or close', 'Esc'],
];

/** All keyboard shortcuts, and a switch for single-key shortcuts. */
export function ShortcutsDialog() {
  const [hasSingleKeys, setSingleKeys] = useSingleKeys();
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => openOverlay.set(undefined)}>
      <table className={styles.keys}>
        <tbody>
          {shortcuts.map(([label, ...keys]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && ' '}
                    <kbd className={styles.key}>{key}</kbd>
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Checkbox
        className={styles.switch ?? ''}
        label="Enable single-key shortcuts (/ and ?)"
        checked={hasSingleKeys}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
    </Dialog>
  );
}

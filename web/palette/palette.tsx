import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { fewQuery } from '../orders/queries.ts';
import { MAX_QUERY_LENGTH } from '../products/listing.ts';
import { pageQuery } from '../products/queries.ts';
import { useStore } from '../server/store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type Command, useCommands } from './commands.ts';
import styles from './palette.module.css';
import { openOverlay, paletteText } from './shortcuts.ts';

const DELAY_MS = 150;
const MAX_PRODUCTS = 7;
const MAX_ORDERS = 5;

/** Finds orders, products, pages, and actions. The arrow keys choose one, and Enter runs it. */
export function Palette() {
  const text = useStore(paletteText);
  const [selected, setSelected] = useState(0);
  const [query] = useDebouncedValue(text.trim(), DELAY_MS);
  const { data } = useQuery({
    ...pageQuery({ query, per_page: String(MAX_PRODUCTS) }),
    enabled: query !== '',
  });
  const orders = useQuery({ ...fewQuery(query, MAX_ORDERS), enabled: query !== '' }).data;
  const found = text.trim() === '' ? {} : { products: data?.results, orders: orders?.orders };
  const commands = useCommands(text.trim(), found);
  const groups = [...new Set(commands.map(({ group }) => group))];
  const listId = useId();
  const index = Math.min(selected, commands.length - 1);
  const current = commands[index];
  const close = (): void => {
    openOverlay.set(undefined);
    paletteText.set('');
  };
  const run = (command: Command): void => {
    close();
    command.run();
  };
  useEffect(() => {
    if (current !== undefined)
      document.getElementById(`${listId}-${current.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [current, listId]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (
      event.isComposing ||
      (event.target instanceof Element && event.target.closest('[role=dialog] button'))
    )
      return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      setSelected((index + step + commands.length) % commands.length);
    }
    if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault();
      run(current);
    }
  };
  // On the document, because keys can come before the input has the focus.
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
  return (
    <Dialog title="Go to" size={560} yOffset="10vh" centered={false} onClose={close}>
      <input
        className={styles.input}
        data-autofocus
        type="text"
        role="combobox"
        aria-label="Order, product, page, or action"
        aria-expanded={commands.length > 0}
        aria-controls={listId}
        aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
        aria-autocomplete="list"
        placeholder="Order, product, page, or action"
        autoComplete="off"
        maxLength={MAX_QUERY_LENGTH}
        value={text}
        onChange={(event) => {
          paletteText.set(event.currentTarget.value);
          setSelected(0);
        }}
      />
      <div id={listId} role="listbox" aria-label="Results" className={styles.list}>
        {groups.map((group) => {
          const ofGroup = commands.filter((command) => command.group === group);
          return (
            // biome-ignore lint/a11y/useSemanticElements: options of a listbox cannot be in a fieldset
            <div key={group} role="group" aria-label={group}>
              <div className={styles.group} aria-hidden="true">
                {group}
              </div>
              {ofGroup.map((command) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys
                <div
                  key={command.id}
                  id={`${listId}-${command.id}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={command === current}
                  className={styles.option}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => run(command)}
                >
                  {command.label}
                  {command.hint !== undefined && <span className={styles.hint}>{command.hint}</span>}
                </div>
              ))}
            </div>
          );
        })}
      </div>
      {commands.length === 0 && (
        <p className={styles.none} role="status">
          Nothing found
        </p>
      )}
    </Dialog>
  );
}

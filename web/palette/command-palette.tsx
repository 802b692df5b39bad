import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useId, useState } from 'react';
import { useStore } from '../server/store.ts';
import { Dialog } from '../ui/dialog.tsx';
import styles from './palette.module.css';
import { openOverlay, paletteText } from './shortcuts.ts';

const DELAY_MS = 150;

/** Something that a palette can do. */
export interface Command {
  id: string;
  /** The heading that it is listed below. */
  group: string;
  label: string;
  hint?: string;
  run: () => void;
}

interface Props {
  /** What can be entered. */
  label: string;
  maxLength: number;
  /** Those that match the text. Commands of one group are listed together. */
  commands: readonly Command[];
}

/** The text of the palette, and the same text a moment later, with which to ask the server. */
export function usePaletteText(): { text: string; query: string } {
  const text = useStore(paletteText).trim();
  const [query] = useDebouncedValue(text, DELAY_MS);
  return { text, query };
}

/** Returns the commands whose labels have all words of a text. */
export function matching<C extends Command>(commands: readonly C[], text: string): C[] {
  const words = text.toLowerCase().split(/\s+/);
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

/** Lists commands for a text. The arrow keys choose one, and Enter runs it. */
export function CommandPalette({ label, maxLength, commands }: Props) {
  const text = useStore(paletteText);
  const [selected, setSelected] = useState(0);
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
        aria-label={label}
        aria-expanded={commands.length > 0}
        aria-controls={listId}
        aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
        aria-autocomplete="list"
        placeholder={label}
        autoComplete="off"
        maxLength={maxLength}
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

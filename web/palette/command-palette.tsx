import { useDebouncedValue } from '@mantine/hooks';
import { Fragment, useEffect, useId, useState } from 'react';
import { useStore } from '../server/store.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { Mark } from './fuzzy.ts';
import { Keys } from './keys.tsx';
import styles from './palette.module.css';
import { isNamed, type Ranked } from './rank.ts';
import { closePalette, paletteEntered, paletteText, typeInPalette } from './shortcuts.ts';

const DELAY_MS = 150;

interface Props {
  /** What can be entered. */
  label: string;
  maxLength: number;
  /** The commands that match the text. Commands of one group are listed together. */
  commands: readonly Ranked[];
  /** Whether the server has not answered for this text. */
  isSearching: boolean;
}

/** The text of the palette, and the same text a moment later, with which to ask the server. */
export function usePaletteText(): { text: string; query: string } {
  const text = useStore(paletteText).trim();
  const [query] = useDebouncedValue(text, DELAY_MS);
  return { text, query };
}

/**
 * Lists commands for a text. The arrow keys choose one, and Enter runs it. If the text names no command,
 * Enter waits for the server, so that it never runs what the user has not looked for.
 */
export function CommandPalette({ label, maxLength, commands, isSearching }: Props) {
  const text = useStore(paletteText);
  const isEntered = useStore(paletteEntered);
  const [chosen, setChosen] = useState<string>();
  const groups = [...Map.groupBy(commands, ({ group }) => group)];
  const listId = useId();
  const index = Math.max(
    0,
    commands.findIndex(({ id }) => id === chosen),
  );
  const current = commands[index];
  const isReady = current !== undefined && (!isSearching || current.id === chosen || isNamed(current));
  useEffect(() => {
    if (!isEntered) return;
    if (isReady) run(current);
    else if (!isSearching) paletteEntered.set(false);
  }, [isEntered, isReady, isSearching, current]);
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
      paletteEntered.set(false);
      setChosen(commands[(index + step + commands.length) % commands.length]?.id);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      paletteEntered.set(true);
    }
  };
  // On the document, because keys can come before the input has the focus.
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
  return (
    <Dialog title="Go to" size={560} yOffset="10vh" centered={false} onClose={closePalette}>
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
          typeInPalette(event.currentTarget.value);
          setChosen(undefined);
        }}
      />
      <div id={listId} role="listbox" aria-label="Results" className={styles.list}>
        {groups.map(([group, ofGroup]) => (
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
                <span className={styles.label}>
                  <Marked text={command.label} marks={command.marks} />
                </span>
                {command.hint !== undefined && (
                  <span className={styles.hint}>
                    <Marked text={command.hint} marks={command.hintMarks} />
                  </span>
                )}
                {command.keys !== undefined && (
                  <span className={styles.commandKeys} aria-hidden="true">
                    <Keys keys={command.keys} />
                  </span>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
      {commands.length === 0 && (
        <p className={styles.none} role="status">
          {isSearching ? 'Searching…' : 'Nothing found'}
        </p>
      )}
    </Dialog>
  );
}

function run(command: Ranked): void {
  closePalette();
  command.run();
}

/** A text whose matched letters are marked. */
function Marked({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const parts = marks.map(([start, end], index) => (
    <Fragment key={start}>
      {text.slice(marks[index - 1]?.[1] ?? 0, start)}
      <mark className={styles.mark}>{text.slice(start, end)}</mark>
    </Fragment>
  ));
  return (
    <>
      {parts}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}

import { useLocalStorage } from '@mantine/hooks';
import { useEffect } from 'react';
import { Store } from '../server/store.ts';
import { focusSearch } from '../ui/search-focus.ts';
import { moveToRow, selectRow } from './row-keys.ts';

/** What is open over the page. */
export const openOverlay = new Store<'palette' | 'shortcuts' | undefined>(undefined);

/** The text in the palette. What is typed before its input has the focus goes here too. */
export const paletteText = new Store('');

/** Whether Enter was pressed for this text, perhaps before the palette had loaded. */
export const paletteEntered = new Store(false);

/** The name of the key that shortcuts combine with letters. */
export const modifier = /mac|iphone|ipad/i.test(globalThis.navigator?.userAgent ?? '') ? '⌘' : 'Ctrl';

/** How long the second key of two may take. */
const SECOND_KEY_MS = 1_500;

/** Whether shortcuts of a single character work. Users who dictate text need to turn them off. */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useLocalStorage({ key: 'tradepost-single-keys', defaultValue: true });
  return [isOn, setOn];
}

export function typeInPalette(text: string): void {
  paletteEntered.set(false);
  paletteText.set(text);
}

export function closePalette(): void {
  openOverlay.set(undefined);
  typeInPalette('');
}

interface Actions {
  /** Opens a page with a search field. */
  onSearch: () => void;
  /** Opens the page of a letter, if there is one. */
  onPage: (letter: string) => void;
}

/** Handles the shortcuts that work on every page. */
export function useShortcuts({ onSearch, onPage }: Actions): void {
  const [hasSingleKeys] = useSingleKeys();
  useEffect(() => {
    /** Until when, in the time of events, a letter is the second key. */
    let secondUntil = 0;

    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return;
      if (event.ctrlKey || event.metaKey) {
        if (event.key.toLowerCase() !== 'k' || event.shiftKey) return;
        event.preventDefault();
        const isOpen = openOverlay.get() === 'palette';
        closePalette();
        if (!isOpen) openOverlay.set('palette');
        return;
      }
      // Also from an input of the page, which has the focus until the palette has loaded.
      if (openOverlay.get() === 'palette' && !isInDialog(event.target)) {
        if (typeEarly(event.key)) event.preventDefault();
        return;
      }
      if (!hasSingleKeys || !isForPage(event)) return;
      if (event.key.toLowerCase() === 'g') secondUntil = event.timeStamp + SECOND_KEY_MS;
      else if (!act(event, onSearch)) return;
      event.preventDefault();
    };

    /** Before the page's own shortcuts, which have other uses for the same letters. */
    const onSecondKey = (event: KeyboardEvent): void => {
      if (event.timeStamp > secondUntil || !isLetter(event.key)) return;
      secondUntil = 0;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !isForPage(event)) return;
      const letter = event.key.toLowerCase();
      if (letter === 'g') return;
      // A letter that leads nowhere does nothing else either.
      event.preventDefault();
      event.stopImmediatePropagation();
      onPage(letter);
    };

    addEventListener('keydown', onSecondKey, { capture: true });
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onSecondKey, { capture: true });
      removeEventListener('keydown', onKey);
    };
  }, [onSearch, onPage, hasSingleKeys]);
}

/** Types into the palette while its input does not have the focus. Returns false for keys that it ignores. */
function typeEarly(key: string): boolean {
  const letters = [...paletteText.get()];
  if (key === 'Enter') paletteEntered.set(true);
  else if (key === 'Escape') closePalette();
  else if (key === 'Backspace') typeInPalette(letters.slice(0, -1).join(''));
  else if (isLetter(key)) typeInPalette([...letters, key].join(''));
  else return false;
  return true;
}

/** Does what a key of its own stands for. Returns false if it stands for nothing. */
function act(event: KeyboardEvent, onSearch: () => void): boolean {
  switch (event.key) {
    case '?':
      openOverlay.set('shortcuts');
      return true;
    case '/':
      if (!focusSearch()) onSearch();
      return true;
    case 'j':
    case 'k':
      return moveToRow(event.key === 'j' ? 1 : -1);
    case 'ArrowDown':
    case 'ArrowUp':
      return moveToRow(event.key === 'ArrowDown' ? 1 : -1, { onlyFromRow: true });
    case 'x':
      return !event.repeat && selectRow();
    default:
      return false;
  }
}

/** Whether a key is for the page: not for an input, a menu or a dialog. */
function isForPage({ target }: KeyboardEvent): boolean {
  const isInMenu = target instanceof Element && target.closest('[role=menu]') !== null;
  return !isTyping(target) && !isInMenu && document.querySelector('[role=dialog]') === null;
}

function isLetter(key: string): boolean {
  return [...key].length === 1;
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog]') !== null;
}

/** Whether an element takes letters, as all inputs do except checkboxes. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  );
}

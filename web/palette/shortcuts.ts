import { useLocalStorage } from '@mantine/hooks';
import { useEffect } from 'react';
import { Store } from '../server/store.ts';
import { focusSearch } from '../ui/search-focus.ts';

/** What is open over the page. */
export const openOverlay = new Store<'palette' | 'shortcuts' | undefined>(undefined);

/** The text in the palette. What is typed before its input has the focus goes here too. */
export const paletteText = new Store('');

/** The name of the key that shortcuts combine with letters. */
export const modifier = /mac|iphone|ipad/i.test(globalThis.navigator?.userAgent ?? '') ? '⌘' : 'Ctrl';

/** Whether shortcuts of a single character work. Users who dictate text need to turn them off. */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useLocalStorage({ key: 'tradepost-single-keys', defaultValue: true });
  return [isOn, setOn];
}

/** Handles the shortcuts that work on every page. `onSearch` opens a page with a search field. */
export function useShortcuts(onSearch: () => void): void {
  const [hasSingleKeys] = useSingleKeys();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return;
      if (event.ctrlKey || event.metaKey) {
        if (event.key.toLowerCase() !== 'k' || event.shiftKey) return;
        event.preventDefault();
        paletteText.set('');
        openOverlay.set(openOverlay.get() === 'palette' ? undefined : 'palette');
        return;
      }
      // Also from an input of the page, which has the focus until the palette has loaded.
      if (openOverlay.get() === 'palette' && !isInDialog(event.target)) {
        if ([...event.key].length !== 1) return;
        event.preventDefault();
        paletteText.set(paletteText.get() + event.key);
        return;
      }
      if (!hasSingleKeys || isTyping(event.target) || document.querySelector('[role=dialog]') !== null)
        return;
      if (event.key === '?') {
        event.preventDefault();
        openOverlay.set('shortcuts');
      } else if (event.key === '/') {
        event.preventDefault();
        if (!focusSearch()) onSearch();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onSearch, hasSingleKeys]);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog]') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  );
}

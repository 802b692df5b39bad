import { useEffect } from 'react';
import { isTyping, useSingleKeys } from '../../palette/shortcuts.ts';

/** Calls the action of a key that is pressed outside of inputs and dialogs, unless keys are turned off. */
export function useQueueKeys(actions: Readonly<Record<string, () => void>>): void {
  const [isOn] = useSingleKeys();
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isTyping(event.target) || document.querySelector('[role=dialog]') !== null) return;
      const action = actions[event.key.toLowerCase()];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    // Before the shortcuts that work on every page, which use some of the same keys.
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [actions, isOn]);
}

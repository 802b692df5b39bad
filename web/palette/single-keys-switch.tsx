import { Checkbox } from '@mantine/core';
import { useSingleKeys } from './shortcuts.ts';

/** Turns shortcuts of a single key on and off, for people who dictate text. */
export function SingleKeysSwitch() {
  const [isOn, setOn] = useSingleKeys();
  return (
    <Checkbox
      label="Enable single-key shortcuts"
      description="Keys without Ctrl or ⌘, such as / and G. They never work while you type. For this browser only."
      checked={isOn}
      onChange={(event) => setOn(event.currentTarget.checked)}
    />
  );
}

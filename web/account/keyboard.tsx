import { SingleKeysSwitch } from '../palette/single-keys-switch.tsx';
import { Panel } from '../ui/panel.tsx';

/** Whether keys without a modifier are shortcuts, in this browser. */
export function Keyboard() {
  return (
    <Panel anchor="keyboard" title="Keyboard">
      <SingleKeysSwitch />
    </Panel>
  );
}

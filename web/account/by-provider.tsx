import { useSingleSignOn } from '../session/single-sign-on.ts';
import { Panel } from '../ui/panel.tsx';

/** Says who signs the user in, instead of what only users with a password need. */
export function ByProvider() {
  const name = useSingleSignOn()?.name ?? 'your identity provider';
  return (
    <Panel title="Sign-in">
      <p>You signed in with {name}. Change your password and your second factor there.</p>
    </Panel>
  );
}

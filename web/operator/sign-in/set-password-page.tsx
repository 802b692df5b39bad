import { SetPassword } from '../../sign-in/set-password.tsx';
import { useLinkToken } from '../../sign-in/use-link-token.ts';

/** The page that an operator's one-time password link opens. */
export function Page() {
  const token = useLinkToken();
  return (
    <SetPassword
      key={token}
      token={token}
      lead="Use it to sign in to the operator’s screen."
      newLink="ask an admin for a new link"
    />
  );
}

import { getRouteApi } from '@tanstack/react-router';
import { SetPassword } from '../../sign-in/set-password.tsx';

const route = getRouteApi('/set-password');

/** The page that an operator's one-time password link opens. */
export function Page() {
  return (
    <SetPassword
      token={route.useSearch().token}
      lead="Use it to sign in to the operator’s screen."
      newLink="ask an admin for a new link"
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { optionsQuery } from '../session/session.ts';
import { SetPassword } from './set-password.tsx';

const route = getRouteApi('/set-password');

/** The page that a one-time password link opens. */
export function Page() {
  const { token } = route.useSearch();
  const { data: options } = useQuery(optionsQuery);
  return (
    <SetPassword
      token={token}
      lead="Use it to sign in to the console. Integrations keep using API keys."
      newLink={options?.mail ? 'get a new link' : 'ask your marketplace operator for a new link'}
    >
      {options?.mail && (
        <>
          {' · '}
          <Link to="/forgot-password">Get a new link</Link>
        </>
      )}
    </SetPassword>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { optionsQuery } from '../session/session.ts';
import { JoinShop } from './join-shop.tsx';
import { linkQuery } from './link-query.ts';
import { SetPassword } from './set-password.tsx';
import { useKeptLinkToken } from './use-link-token.ts';

/** The page that a one-time link opens, which sets a password or joins another shop. */
export function Page() {
  const token = useKeptLinkToken();
  const { data: options } = useQuery(optionsQuery);
  const { data: link } = useQuery({
    ...linkQuery('password-links', token),
    enabled: token !== '',
  });
  const newLink = options?.mail ? 'get a new link' : 'ask your marketplace operator for a new link';
  if (link?.joins != null) return <JoinShop token={token} shop={link.joins} newLink={newLink} />;
  return (
    <SetPassword
      key={token}
      token={token}
      lead="Use it to sign in to the console. Integrations keep using API keys."
      newLink={newLink}
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

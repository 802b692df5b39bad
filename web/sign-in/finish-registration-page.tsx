import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { refresh } from '../server/query-client.ts';
import { linkQuery } from './link-query.ts';
import { RegistrationForm } from './registration-form.tsx';
import styles from './sign-in.module.css';
import { SignInLayout } from './sign-in-layout.tsx';
import { useLinkToken } from './use-link-token.ts';

/** The page that the link in an email opens, which confirms the email. Only its form creates the account. */
export function Page() {
  const token = useLinkToken();
  const query = linkQuery('registration-links', token);
  const { email, has_account: hasAccount } = useSuspenseQuery(query).data;
  if (email === null) {
    return (
      <SignInLayout
        title="This link has expired or was already used"
        lead="If you have registered, sign in; otherwise get a new link."
      >
        <p className={styles.more}>
          <Link to="/sign-in">Back to sign in</Link>
          {' · '}
          <Link to="/register">Get a new link</Link>
        </p>
      </SignInLayout>
    );
  }
  if (hasAccount) {
    return (
      <SignInLayout title="You already have an account" lead={`Sign in with ${email}.`}>
        <p className={styles.more}>
          <Link to="/sign-in">Back to sign in</Link>
          {' · '}
          <Link to="/forgot-password">Forgot your password?</Link>
        </p>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout
      title="Register your shop"
      lead="Your email is confirmed. You can import products right away."
    >
      <RegistrationForm
        link={{ token, email }}
        // The link may have been used in another window.
        onLinkRefused={() => void refresh(query.queryKey)}
      />
    </SignInLayout>
  );
}

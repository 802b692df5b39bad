import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { optionsQuery } from '../session/session.ts';
import { LinkRequest } from './link-request.tsx';
import styles from './sign-in.module.css';
import { SignInLayout } from './sign-in-layout.tsx';

/** Requests an email with a link to set a new password. */
export function Page() {
  const { data: options } = useQuery(optionsQuery);
  const backToSignIn = <Link to="/sign-in">Back to sign in</Link>;
  if (options?.mail === false) {
    return (
      <SignInLayout title="Forgot your password?" lead="Ask your marketplace operator for a new link.">
        <p className={styles.more}>{backToSignIn}</p>
      </SignInLayout>
    );
  }
  return (
    <LinkRequest
      path="password-links"
      title="Forgot your password?"
      lead="Get a link to set a new one."
      sent={(email) => `If ${email} has an account, a link is on its way`}
    >
      {backToSignIn}
    </LinkRequest>
  );
}

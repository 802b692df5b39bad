import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { optionsQuery } from '../session/session.ts';
import { LinkRequest } from './link-request.tsx';
import { RegistrationForm } from './registration-form.tsx';
import styles from './sign-in.module.css';
import { SignInLayout } from './sign-in-layout.tsx';

/** Registers a shop and its first user, if the operator allows it; by a link if the service sends email. */
export function Page() {
  const { data: options } = useSuspenseQuery(optionsQuery);
  if (!options.self_registration) {
    return (
      <SignInLayout
        title="Registration is closed"
        lead="Only your marketplace operator can create accounts. Ask for an invitation link."
      >
        <p className={styles.more}>
          <Link to="/sign-in">Back to sign in</Link>
        </p>
      </SignInLayout>
    );
  }
  const signIn = (
    <>
      Already have an account? <Link to="/sign-in">Sign in</Link>
    </>
  );
  if (options.mail) {
    return (
      <LinkRequest
        path="registration-links"
        title="Register your shop"
        lead="Get a link to confirm your email and continue."
        sent={(email) => `A link is on its way to ${email}`}
      >
        {signIn}
      </LinkRequest>
    );
  }
  return (
    <SignInLayout title="Register your shop" lead="You can import products right away.">
      <RegistrationForm />
      <p className={styles.more}>{signIn}</p>
    </SignInLayout>
  );
}

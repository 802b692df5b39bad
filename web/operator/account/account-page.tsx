import styles from '../../account/account.module.css';
import { ByProvider } from '../../account/by-provider.tsx';
import { ChangePassword } from '../../account/change-password.tsx';
import { Keyboard } from '../../account/keyboard.tsx';
import { Passkeys } from '../../account/passkeys.tsx';
import { Sessions } from '../../account/sessions.tsx';
import { TwoFactor } from '../../account/two-factor.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { roleLabel } from '../operators/roles.ts';
import { useSession } from '../session.ts';

export function Page() {
  const { user, two_factor_missing: twoFactorMissing, by_provider: byProvider } = useSession();
  return (
    <>
      <PageHeader lead={`${user.name}, ${user.email}, ${roleLabel(user.role)}`} />
      <div className={styles.parts}>
        {twoFactorMissing && (
          <p role="status" className={styles.required}>
            All operators need two-factor authentication. Set it up to continue.
          </p>
        )}
        {byProvider ? <ByProvider /> : <TwoFactor requiredBy="The operator’s screen" />}
        {!twoFactorMissing && (
          <>
            {!byProvider && <Passkeys />}
            {!byProvider && <ChangePassword />}
            <Sessions />
            <Keyboard />
          </>
        )}
      </div>
    </>
  );
}

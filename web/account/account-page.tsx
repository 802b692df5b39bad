import { useSession } from '../session/session.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './account.module.css';
import { ChangePassword } from './change-password.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';

export function Page() {
  const { user, merchant, two_factor_missing: twoFactorMissing } = useSession();
  return (
    <>
      <PageHeader title="Account" lead={`${user.name}, ${user.email}`} />
      <div className={styles.parts}>
        {twoFactorMissing && (
          <p role="status" className={styles.required}>
            Your marketplace operator requires two-factor authentication. Set it up to continue.
          </p>
        )}
        <TwoFactor />
        {!twoFactorMissing && (
          <>
            <ChangePassword />
            <Sessions />
          </>
        )}
        <Panel title="Shop">
          <dl className={styles.facts}>
            <dt>Name</dt>
            <dd>{merchant.name}</dd>
            <dt>Merchant ID</dt>
            <dd>{merchant.id}</dd>
            <dt>Time zone</dt>
            <dd>{merchant.time_zone}</dd>
          </dl>
        </Panel>
      </div>
    </>
  );
}

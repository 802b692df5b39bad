import { roleLabel } from '../session/role.ts';
import { useSession } from '../session/session.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './account.module.css';
import { ByProvider } from './by-provider.tsx';
import { ChangePassword } from './change-password.tsx';
import { Keyboard } from './keyboard.tsx';
import { EmailNotifications } from './notifications.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';

export function Page() {
  const {
    user,
    merchant,
    two_factor_missing: twoFactorMissing,
    two_factor_required_by: requiredBy,
    by_provider: byProvider,
  } = useSession();
  const whoRequires =
    requiredBy === null
      ? null
      : requiredBy === 'operator'
        ? 'Your marketplace operator'
        : 'An owner of your shop';
  return (
    <>
      <PageHeader lead={`${user.name}, ${user.email}`} />
      <div className={styles.parts}>
        {twoFactorMissing && (
          <p role="status" className={styles.required}>
            {whoRequires} requires two-factor authentication. Set it up to continue.
          </p>
        )}
        {byProvider ? <ByProvider /> : <TwoFactor requiredBy={whoRequires} />}
        {!twoFactorMissing && (
          <>
            {!byProvider && <Passkeys />}
            {!byProvider && <ChangePassword />}
            <Sessions />
            <EmailNotifications />
            <Keyboard />
          </>
        )}
        <Panel title="Shop">
          <dl className="facts">
            <dt>Name</dt>
            <dd>{merchant.name}</dd>
            <dt>Merchant ID</dt>
            <dd>{merchant.id}</dd>
            <dt>Time zone</dt>
            <dd>{merchant.time_zone}</dd>
            <dt>Your role</dt>
            <dd>{roleLabel(user.role)}</dd>
          </dl>
        </Panel>
      </div>
    </>
  );
}

import { useSession } from '../session/session.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { Panel } from '../shell/panel.tsx';
import styles from './account.module.css';
import { ChangePassword } from './change-password.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';
import { TwoFactor } from './two-factor.tsx';

export function Page() {
  const { user, merchant } = useSession();
  return (
    <>
      <PageHeader title="Account" lead={`${user.name}, ${user.email}`} />
      <div className={styles.parts}>
        <TwoFactor />
        <ChangePassword />
        <SignOutEverywhere />
        <Panel title="Shop">
          <dl className={styles.facts}>
            <dt>Name</dt>
            <dd>{merchant.name}</dd>
            <dt>Merchant id</dt>
            <dd>{merchant.id}</dd>
            <dt>Time zone</dt>
            <dd>{merchant.time_zone}</dd>
          </dl>
        </Panel>
      </div>
    </>
  );
}

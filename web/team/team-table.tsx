import { Button } from '@mantine/core';
import type { TeamMember } from '../../src/console/console-api.ts';
import { Ago } from '../format/ago.tsx';
import { roleLabel } from '../session/role.ts';
import { useMayChangeShop } from '../test-data/use-test-data.ts';
import { Chip } from '../ui/chip.tsx';
import { Table } from '../ui/table.tsx';
import styles from './team.module.css';

/** What an owner can do with another user. */
export type MemberAction = 'role' | 'resend' | 'remove';

interface Props {
  members: TeamMember[];
  onAction: (action: MemberAction, member: TeamMember) => void;
}

export function TeamTable({ members, onAction }: Props) {
  const canChange = useMayChangeShop();
  return (
    <Table
      rows={members}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'User',
          kind: 'lead',
          cell: ({ name, email, current, password, last_sign_in_at: lastSignIn }) => (
            <span className={styles.lead}>
              <span className={styles.name}>
                {name}
                {current && <Chip tone="accent">You</Chip>}
                {!password && lastSignIn === null && <Chip tone="warn">Invited</Chip>}
              </span>
              <span className="muted small">{email}</span>
            </span>
          ),
        },
        { label: 'Role', cell: ({ role }) => roleLabel(role) },
        {
          label: 'Two-factor',
          cell: ({ two_factor: isEnabled }) => (
            <Chip tone={isEnabled ? 'good' : 'quiet'}>{isEnabled ? 'Enabled' : 'Not set up'}</Chip>
          ),
        },
        {
          label: 'Last sign-in',
          className: 'nowrap',
          cell: ({ last_sign_in_at: at }) =>
            at === null ? <span className="muted">Never</span> : <Ago at={at} />,
        },
        canChange && {
          label: 'Actions',
          kind: 'actions',
          cell: (member) => !member.current && <Actions member={member} onAction={onAction} />,
        },
      ]}
    />
  );
}

function Actions({ member, onAction }: Pick<Props, 'onAction'> & { member: TeamMember }) {
  return (
    <span className={styles.actions}>
      {!member.password && member.last_sign_in_at === null && (
        <Button variant="default" size="compact-sm" onClick={() => onAction('resend', member)}>
          Resend invitation<span className="visually-hidden"> for {member.name}</span>
        </Button>
      )}
      <Button variant="default" size="compact-sm" onClick={() => onAction('role', member)}>
        Change role<span className="visually-hidden"> of {member.name}</span>
      </Button>
      <Button variant="subtle" color="red" size="compact-sm" onClick={() => onAction('remove', member)}>
        Remove<span className="visually-hidden"> {member.name}</span>
      </Button>
    </span>
  );
}

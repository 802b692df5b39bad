import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Ago } from '../../format/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconUsers } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { useAllows } from '../session.ts';
import { InviteUser } from './invite-user.tsx';
import styles from './merchants.module.css';
import { type ListedMerchant, type MerchantUser, usersQuery } from './queries.ts';

const roleLabels = { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' } as const;

/** The users of a merchant's console. */
export function MerchantUsers({ merchant }: { merchant: ListedMerchant }) {
  const list = useQuery(usersQuery(merchant.external_id));
  const [isInviting, setIsInviting] = useState(false);
  const invite = useAllows('admin') && (
    <Button variant="default" size="compact-sm" onClick={() => setIsInviting(true)}>
      Invite user
    </Button>
  );
  return (
    <Panel title="Console users" aside={invite} flush>
      <Loaded query={list} skeleton={2}>
        {({ results }) =>
          results.length === 0 ? (
            <EmptyState
              Icon={IconUsers}
              title="No users"
              description="Invite the merchant to the console, where it manages its products, orders and keys."
            />
          ) : (
            <UsersTable users={results} />
          )
        }
      </Loaded>
      {isInviting && <InviteUser merchant={merchant} onClose={() => setIsInviting(false)} />}
    </Panel>
  );
}

function UsersTable({ users }: { users: readonly MerchantUser[] }) {
  return (
    <Table
      rows={users}
      keyOf={({ email }) => email}
      caption="Console users"
      columns={[
        {
          label: 'User',
          kind: 'lead',
          cell: ({ name, email, password }) => (
            <>
              <span className={styles.name}>
                {name} {!password && <Chip tone="warn">Invited</Chip>}
              </span>
              <span className="muted small">{email}</span>
            </>
          ),
        },
        { label: 'Role', cell: ({ role }) => roleLabels[role] },
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
      ]}
    />
  );
}

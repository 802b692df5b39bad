import { Button } from '@mantine/core';
import { Ago } from '../../format/ago.tsx';
import styles from '../../team/team.module.css';
import { Chip } from '../../ui/chip.tsx';
import { Table } from '../../ui/table.tsx';
import { useAllows } from '../session.ts';
import type { Operator } from './queries.ts';
import { roleLabel } from './roles.ts';

/** What an admin can do with an operator. */
export type OperatorAction = 'role' | 'reset' | 'remove';

interface Props {
  operators: Operator[];
  onAction: (action: OperatorAction, operator: Operator) => void;
}

export function OperatorsTable({ operators, onAction }: Props) {
  const isAdmin = useAllows('admin');
  return (
    <Table
      rows={operators}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Operator',
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
            <Chip tone={isEnabled ? 'good' : 'warn'}>{isEnabled ? 'Enabled' : 'Not set up'}</Chip>
          ),
        },
        {
          label: 'Last sign-in',
          className: 'nowrap',
          cell: ({ last_sign_in_at: at }) =>
            at === null ? <span className="muted">Never</span> : <Ago at={at} />,
        },
        isAdmin && {
          label: 'Actions',
          kind: 'actions',
          cell: (operator) => !operator.current && <Actions operator={operator} onAction={onAction} />,
        },
      ]}
    />
  );
}

function Actions({ operator, onAction }: Pick<Props, 'onAction'> & { operator: Operator }) {
  return (
    <span className={styles.actions}>
      <Button variant="default" size="compact-sm" onClick={() => onAction('role', operator)}>
        Change role<span className="visually-hidden"> of {operator.name}</span>
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => onAction('reset', operator)}>
        {operator.password || operator.last_sign_in_at !== null ? 'Reset sign-in' : 'New link'}
        <span className="visually-hidden"> of {operator.name}</span>
      </Button>
      <Button variant="subtle" color="red" size="compact-sm" onClick={() => onAction('remove', operator)}>
        Remove<span className="visually-hidden"> {operator.name}</span>
      </Button>
    </span>
  );
}

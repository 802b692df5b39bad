import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Ago } from '../../format/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyValue } from '../../ui/empty-value.tsx';
import { IconKey } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { useAllows } from '../session.ts';
import { CreateMerchantKey } from './create-merchant-key.tsx';
import styles from './merchants.module.css';
import { keysQuery, type ListedMerchant, type ListedMerchantKey } from './queries.ts';
import { RevokeMerchantKey } from './revoke-merchant-key.tsx';

const states = {
  active: { label: 'Active', tone: 'good' },
  expired: { label: 'Expired', tone: 'warn' },
  revoked: { label: 'Revoked', tone: 'quiet' },
} as const;

/** The keys of a merchant. Admins create and revoke them. */
export function MerchantKeys({ merchant }: { merchant: ListedMerchant }) {
  const list = useInfiniteQuery(keysQuery(merchant.external_id));
  const isAdmin = useAllows('admin');
  const [dialog, setDialog] = useState<'create' | ListedMerchantKey>();
  const close = (): void => setDialog(undefined);
  const create = isAdmin && (
    <Button variant="default" size="compact-sm" onClick={() => setDialog('create')}>
      Create key
    </Button>
  );
  return (
    <Panel title="Keys" aside={create} flush>
      <Loaded query={list} skeleton={2}>
        {({ pages }) => {
          const keys = pages.flatMap(({ results }) => results);
          return keys.length === 0 ? (
            <EmptyState
              Icon={IconKey}
              title="No keys"
              description="The merchant’s software needs a key to call the API."
            />
          ) : (
            <KeysTable keys={keys} onRevoke={isAdmin ? setDialog : undefined} />
          );
        }}
      </Loaded>
      <MoreButton list={list} label="Show more keys" />
      {dialog === 'create' && <CreateMerchantKey merchant={merchant} onClose={close} />}
      {typeof dialog === 'object' && (
        <RevokeMerchantKey merchant={merchant} apiKey={dialog} onClose={close} />
      )}
    </Panel>
  );
}

interface TableProps {
  keys: readonly ListedMerchantKey[];
  onRevoke: ((key: ListedMerchantKey) => void) | undefined;
}

function KeysTable({ keys, onRevoke }: TableProps) {
  return (
    <Table
      rows={keys}
      keyOf={({ id }) => id}
      caption="Keys"
      columns={[
        {
          label: 'Key',
          kind: 'lead',
          cell: ({ name, mode, token, scopes }) => (
            <>
              <span className={styles.name}>
                {name} {mode === 'test' && <Chip tone="accent">Test</Chip>}
              </span>
              <span className="muted small">
                <span className="mono">{token}</span> · {scopes.join(', ')}
              </span>
            </>
          ),
        },
        {
          label: 'Status',
          cell: ({ state }) => <Chip tone={states[state].tone}>{states[state].label}</Chip>,
        },
        {
          label: 'Last used',
          className: 'nowrap',
          cell: ({ last_used_at: at }) =>
            at === null ? <span className="muted">Never</span> : <Ago at={at} />,
        },
        {
          label: 'Used by',
          cell: ({ last_erp_name: erp, last_user_agent: agent }) => erp ?? agent ?? <EmptyValue />,
        },
        onRevoke !== undefined && {
          label: 'Actions',
          kind: 'actions',
          cell: (key) =>
            key.state === 'active' && (
              <Button variant="subtle" color="red" size="compact-sm" onClick={() => onRevoke(key)}>
                Revoke<span className="visually-hidden"> {key.name}</span>
              </Button>
            ),
        },
      ]}
    />
  );
}

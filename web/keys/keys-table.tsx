import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Ago } from '../format/ago.tsx';
import { useFormats } from '../format/use-formats.ts';
import { useAllows } from '../session/role.ts';
import { Chip, type Tone } from '../ui/chip.tsx';
import { EmptyValue } from '../ui/empty-value.tsx';
import { Table } from '../ui/table.tsx';
import styles from './keys.module.css';
import type { Key } from './queries.ts';
import { scopeLabels } from './scope-labels.ts';

const tones: Record<Key['state'], Tone> = { active: 'good', expired: 'warn', revoked: 'quiet' };

const statusLabels: Record<Key['state'], string> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
};

interface Props {
  keys: Key[];
  onRotate: (key: Key) => void;
  onRevoke: (key: Key) => void;
}

export function KeysTable({ keys, onRotate, onRevoke }: Props) {
  const { day } = useFormats();
  const isOwner = useAllows('owner');
  return (
    <Table
      rows={keys}
      keyOf={({ id }) => id}
      rowClass={({ state }) => (state === 'active' ? undefined : styles.inactive)}
      columns={[
        {
          label: 'Key',
          kind: 'lead',
          cell: ({ name, mode, fields, token, scopes }) => (
            <>
              <span className={styles.name}>{name}</span>
              {mode === 'test' && <Chip tone="accent">Test</Chip>}
              {fields === 'original' && (
                <Chip tone="quiet" title="Products have the fields that clients of the original API read.">
                  Original fields
                </Chip>
              )}
              <span className={`mono muted ${styles.token}`}>{token}</span>
              <span className="muted small" title={scopes.map((scope) => scopeLabels[scope]).join('. ')}>
                {scopes.join(', ')}
              </span>
            </>
          ),
        },
        { label: 'Status', cell: (key) => <Status apiKey={key} /> },
        { label: 'Created', className: 'nowrap', cell: ({ created_at: created }) => day(created) },
        { label: 'Last used', className: 'nowrap', cell: (key) => <LastUse apiKey={key} /> },
        { label: 'Used by', cell: (key) => <Client apiKey={key} /> },
        {
          label: 'Actions',
          kind: 'actions',
          cell: (key) =>
            isOwner &&
            key.state === 'active' && (
              <span>
                <Button variant="default" size="compact-sm" onClick={() => onRotate(key)}>
                  Rotate<span className="visually-hidden"> {key.name}</span>
                </Button>
                <Button variant="subtle" color="red" size="compact-sm" onClick={() => onRevoke(key)}>
                  Revoke<span className="visually-hidden"> {key.name}</span>
                </Button>
              </span>
            ),
        },
      ]}
    />
  );
}

function Status({ apiKey: key }: { apiKey: Key }) {
  const { day, time } = useFormats();
  return (
    <span className="stack nowrap">
      <Chip tone={tones[key.state]}>{statusLabels[key.state]}</Chip>
      <span className="muted small">{expiryText(key, day)}</span>
      {key.old_token_expires_at !== null && (
        <span className="small">
          Old token works until{' '}
          <time dateTime={key.old_token_expires_at}>{time(key.old_token_expires_at)}</time>
        </span>
      )}
    </span>
  );
}

/** Returns the day on which the key was revoked, has expired or will expire, to show after its status. */
function expiryText(
  { revoked_at: revoked, expires_at: expires, state }: Key,
  day: (time: string) => string,
): string {
  if (revoked !== null) return day(revoked);
  if (expires === null) return 'No expiration';
  return state === 'expired' ? day(expires) : `Expires ${day(expires)}`;
}

function LastUse({ apiKey: { id, name, last_used_at: lastUse } }: { apiKey: Key }) {
  if (lastUse === null) return <span className="muted">Never</span>;
  return (
    <span className="stack">
      <Ago at={lastUse} />
      <Link to="/requests" search={{ key: id }} className="small">
        Requests<span className="visually-hidden"> of {name}</span>
      </Link>
    </span>
  );
}

function Client({ apiKey: { last_erp_name: erp, last_user_agent: userAgent } }: { apiKey: Key }) {
  if (erp === null && userAgent === null) return <EmptyValue />;
  return (
    <span className={styles.client}>
      {erp !== null && <span>{erp}</span>}
      {userAgent !== null && (
        <span className="muted small" title={userAgent}>
          {userAgent}
        </span>
      )}
    </span>
  );
}

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { useAllows } from '../session/role.ts';
import { Chip, type Tone } from '../ui/chip.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
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
  const { day, time, ago } = useFormats();
  const isOwner = useAllows('owner');
  return (
    <div className="table-frame">
      <table className="table cards">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Status</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Used by</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id} className={key.state === 'active' ? undefined : styles.inactive}>
              <td className="lead">
                <span className={styles.name}>{key.name}</span>
                {key.mode === 'test' && <Chip tone="accent">Test</Chip>}
                <span className={`mono muted ${styles.token}`}>{key.token}</span>
                <span
                  className="muted small"
                  title={key.scopes.map((scope) => scopeLabels[scope]).join('. ')}
                >
                  {key.scopes.join(', ')}
                </span>
              </td>
              <td data-label="Status">
                <span className={styles.state}>
                  <Chip tone={tones[key.state]}>{statusLabels[key.state]}</Chip>
                  <span className="muted small">{expiryText(key, day)}</span>
                  {key.old_token_expires_at !== null && (
                    <span className="small">
                      Old token works until{' '}
                      <time dateTime={key.old_token_expires_at}>{time(key.old_token_expires_at)}</time>
                    </span>
                  )}
                </span>
              </td>
              <td data-label="Created" className={styles.nowrap}>
                {day(key.created_at)}
              </td>
              <td data-label="Last used" className={styles.nowrap}>
                {key.last_used_at === null ? (
                  <span className="muted">Never</span>
                ) : (
                  <span className={styles.state}>
                    <time dateTime={key.last_used_at} title={time(key.last_used_at)}>
                      {ago(key.last_used_at)}
                    </time>
                    <Link to="/requests" search={{ key: key.id }} className="small">
                      Requests<span className="visually-hidden"> of {key.name}</span>
                    </Link>
                  </span>
                )}
              </td>
              <td data-label="Used by">
                {key.last_erp_name === null && key.last_user_agent === null ? (
                  valueOrDash<string>(null, String)
                ) : (
                  <span className={styles.client}>
                    {key.last_erp_name !== null && <span>{key.last_erp_name}</span>}
                    {key.last_user_agent !== null && (
                      <span className="muted small" title={key.last_user_agent}>
                        {key.last_user_agent}
                      </span>
                    )}
                  </span>
                )}
              </td>
              <td className="row-actions">
                {isOwner && key.state === 'active' && (
                  <span className={styles.actions}>
                    <Button variant="default" size="compact-sm" onClick={() => onRotate(key)}>
                      Rotate<span className="visually-hidden"> {key.name}</span>
                    </Button>
                    <Button
                      variant="subtle"
                      color="red"
                      size="compact-sm"
                      className={styles.revoke ?? ''}
                      onClick={() => onRevoke(key)}
                    >
                      Revoke<span className="visually-hidden"> {key.name}</span>
                    </Button>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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

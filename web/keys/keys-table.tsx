import { Button } from '@mantine/core';
import { Chip, type Tone } from '../feedback/chip.tsx';
import { orNothing } from '../feedback/fact.tsx';
import { useFormats } from '../format/use-formats.ts';
import styles from './keys.module.css';
import type { Key } from './queries.ts';

const tones: Record<Key['state'], Tone> = { active: 'good', expired: 'warn', revoked: 'quiet' };

interface Props {
  keys: Key[];
  onRotate: (key: Key) => void;
  onRevoke: (key: Key) => void;
}

export function KeysTable({ keys, onRotate, onRevoke }: Props) {
  const { day, time, ago } = useFormats();
  return (
    <div className="table-frame">
      <table className="table cards">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">State</th>
            <th scope="col">Made</th>
            <th scope="col">Last used</th>
            <th scope="col">By</th>
            <th scope="col">
              <span className="unseen">What to do</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id} className={key.state === 'active' ? undefined : styles.over}>
              <td className="lead">
                <span className={styles.name}>{key.name}</span>
                <span className={`mono soft ${styles.token}`}>{key.token}</span>
              </td>
              <td data-label="State">
                <span className={styles.state}>
                  <Chip tone={tones[key.state]}>{key.state}</Chip>
                  <span className="soft small">{endWords(key, day)}</span>
                </span>
              </td>
              <td data-label="Made" className={styles.still}>
                {day(key.created_at)}
              </td>
              <td data-label="Last used" className={styles.still}>
                {key.last_used_at === null ? (
                  <span className="soft">never</span>
                ) : (
                  <time dateTime={key.last_used_at} title={time(key.last_used_at)}>
                    {ago(key.last_used_at)}
                  </time>
                )}
              </td>
              <td data-label="By">
                {key.last_erp_name === null && key.last_user_agent === null ? (
                  orNothing<string>(null, String)
                ) : (
                  <span className={styles.client}>
                    {key.last_erp_name !== null && <span>{key.last_erp_name}</span>}
                    {key.last_user_agent !== null && (
                      <span className="soft small" title={key.last_user_agent}>
                        {key.last_user_agent}
                      </span>
                    )}
                  </span>
                )}
              </td>
              <td className="row-actions">
                {key.state === 'active' && (
                  <span className={styles.actions}>
                    <Button variant="default" size="compact-sm" onClick={() => onRotate(key)}>
                      Rotate<span className="unseen"> {key.name}</span>
                    </Button>
                    <Button
                      variant="subtle"
                      color="red"
                      size="compact-sm"
                      className={styles.revoke ?? ''}
                      onClick={() => onRevoke(key)}
                    >
                      Revoke<span className="unseen"> {key.name}</span>
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

function endWords(
  { revoked_at: revoked, expires_at: expires, state }: Key,
  day: (time: string) => string,
): string {
  if (revoked !== null) return `on ${day(revoked)}`;
  if (expires === null) return 'never ends';
  return `${state === 'expired' ? 'ended' : 'ends'} ${day(expires)}`;
}

import { Link } from '@tanstack/react-router';
import { Ago } from '../../format/ago.tsx';
import { useFormats } from '../../format/use-formats.ts';
import { adviceFor } from '../../requests/advice.ts';
import { Chip } from '../../ui/chip.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './calls.module.css';
import type { CallGroup, CallsSearch } from './queries.ts';

/** Why calls fail: what to do, whom it affects, and links to the calls. */
export function CausesTable({ groups, search }: { groups: CallGroup[]; search: CallsSearch }) {
  const { whole, count } = useFormats();
  const hours = search.hours === undefined ? {} : { hours: search.hours };
  return (
    <Table
      rows={groups}
      keyOf={({ status, error, method, path }) => `${status} ${error} ${method} ${path}`}
      columns={[
        {
          label: 'Cause',
          kind: 'lead',
          cell: (group) => (
            <span className={styles.cause}>
              <span className={styles.name}>
                <Chip tone={group.status >= 500 ? 'bad' : 'warn'}>{group.status}</Chip>
                <span className={styles.endpoint}>
                  {group.method} {group.path}
                </span>
              </span>
              <span className="mono small">{group.error ?? 'No error'}</span>
              <span className="muted small">{adviceFor(group)}</span>
            </span>
          ),
        },
        {
          label: 'Merchants',
          kind: 'number',
          cell: (group) => (
            <Link
              to="/calls"
              search={{ ...hours, ...causeOf(group) }}
              aria-label={count(group.merchants, 'merchant')}
            >
              {whole(group.merchants)}
            </Link>
          ),
        },
        {
          label: 'Most affected',
          cell: (group) => (
            <ul className={styles.affected}>
              {group.affected.map(({ external_id: merchant, name, calls }) => (
                <li key={merchant}>
                  <Link to="/calls" search={{ ...causeOf(group), merchant }}>
                    {name}
                  </Link>{' '}
                  <span className="muted small">{whole(calls)}</span>
                </li>
              ))}
            </ul>
          ),
        },
        {
          label: 'Calls',
          kind: 'number',
          cell: (group) => (
            <Link to="/calls" search={{ ...hours, ...causeOf(group), ...onlyMerchant(group) }}>
              {whole(group.calls)}
              <span className="visually-hidden"> calls</span>
            </Link>
          ),
        },
        { label: 'Last', className: 'nowrap', cell: ({ last_at: at }) => <Ago at={at} /> },
      ]}
    />
  );
}

/** Returns what selects the calls of a group. */
function causeOf({ status, error, method, path }: CallGroup): CallsSearch {
  return { status: String(status), method, path, ...(error !== null && { error }) };
}

/** Returns what selects the log of the merchant, if the cause affects no other. */
function onlyMerchant({ merchants, affected: [first] }: CallGroup): CallsSearch {
  return merchants === 1 && first !== undefined ? { merchant: first.external_id } : {};
}

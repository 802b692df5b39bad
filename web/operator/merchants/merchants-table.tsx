import { Link } from '@tanstack/react-router';
import { Ago } from '../../format/ago.tsx';
import { useFormats } from '../../format/use-formats.ts';
import { Table } from '../../ui/table.tsx';
import { MerchantState } from './merchant-state.tsx';
import styles from './merchants.module.css';
import type { ListedMerchant } from './queries.ts';

export function MerchantsTable({ merchants }: { merchants: readonly ListedMerchant[] }) {
  const { whole } = useFormats();
  return (
    <Table
      rows={merchants}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Merchant',
          kind: 'lead',
          cell: ({ name, external_id: merchant, email }) => (
            <>
              <Link to="/merchants/$merchant" params={{ merchant }} className={styles.name ?? ''}>
                {name}
              </Link>
              <span className="muted small">
                {merchant}
                {email !== null && ` · ${email}`}
              </span>
            </>
          ),
        },
        {
          label: 'State',
          cell: (merchant) => (
            <span className={styles.chips}>
              <MerchantState merchant={merchant} />
            </span>
          ),
        },
        {
          label: 'Products',
          kind: 'number',
          cell: ({ external_id: merchant, activity }) => (
            <Link to="/products" search={{ merchant }}>
              {whole(activity.products)}
            </Link>
          ),
        },
        {
          label: 'Failed calls',
          kind: 'number',
          cell: ({
            external_id: merchant,
            activity: { recent_calls: calls, recent_failed_calls: failed },
          }) =>
            calls === 0 ? (
              <span className="muted">No calls</span>
            ) : (
              <Link to="/calls" search={{ merchant }}>
                {whole(failed)} of {whole(calls)}
              </Link>
            ),
        },
        {
          label: 'Last call',
          className: 'nowrap',
          cell: ({ activity: { last_call_at: at } }) =>
            at === null ? <span className="muted">Never</span> : <Ago at={at} />,
        },
      ]}
    />
  );
}

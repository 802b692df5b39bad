import { Ago } from '../../format/ago.tsx';
import { useFormats } from '../../format/use-formats.ts';
import { inWords, packageTexts } from '../../orders/order.ts';
import { Chip } from '../../ui/chip.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import type { Tone } from '../../ui/tone.ts';
import { useCurrencyFormats } from '../currency-formats.ts';
import styles from '../records.module.css';
import type { Order } from './queries.ts';

const refundStates: Record<Order['refunds'][number]['state'], { label: string; tone: Tone }> = {
  requested: { label: 'Requested', tone: 'warn' },
  settled: { label: 'Paid back', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** The packages and refunds of an order, if there are any. */
export function OrderParcels({ order, currency }: { order: Order; currency: string | undefined }) {
  const { whole } = useFormats();
  const formatsOf = useCurrencyFormats();
  const { packages, refunds } = order;
  return (
    <>
      {packages.length > 0 && (
        <Panel title="Packages" flush>
          <Table
            rows={packages}
            keyOf={({ package_id: id }) => id}
            columns={[
              {
                label: 'Package',
                kind: 'lead',
                cell: ({ carrier, tracking_number: number }) => (
                  <span className={styles.names}>
                    {carrier}
                    <span className="mono">{number}</span>
                  </span>
                ),
              },
              { label: 'Units', kind: 'number', cell: ({ quantity }) => whole(quantity) },
              { label: 'Shipped', cell: ({ shipped_at: at }) => <Ago at={at} /> },
              {
                label: 'State',
                cell: ({ state }) => <Chip tone={packageTexts[state].tone}>{packageTexts[state].label}</Chip>,
              },
            ]}
          />
        </Panel>
      )}
      {refunds.length > 0 && (
        <Panel title="Refunds" flush>
          <Table
            rows={refunds}
            keyOf={({ refund_id: id }) => id}
            columns={[
              {
                label: 'Reason',
                kind: 'lead',
                cell: ({ reason, fees }) => (
                  <span className={styles.names}>
                    {inWords(reason)}
                    <span className="muted small">{fees.map(inWords).join(', ')}</span>
                  </span>
                ),
              },
              {
                label: 'State',
                cell: ({ state, failure }) => (
                  <span className="stack">
                    <Chip tone={refundStates[state].tone}>{refundStates[state].label}</Chip>
                    {failure !== null && <span className="muted small">{failure}</span>}
                  </span>
                ),
              },
              {
                label: 'Amount',
                kind: 'number',
                cell: ({ amount }) => (currency === undefined ? amount : formatsOf(currency).money(amount)),
              },
            ]}
          />
        </Panel>
      )}
    </>
  );
}

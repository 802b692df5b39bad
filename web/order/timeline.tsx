import { useQuery } from '@tanstack/react-query';
import type { OrderTimeline } from '../../src/console/order-api.ts';
import { Ago } from '../format/ago.tsx';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import { carrierName } from '../orders/carriers.ts';
import { inWords, type Order, packageTexts } from '../orders/order.ts';
import { carriersQuery, timelineQuery } from '../orders/queries.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './order.module.css';

type Entry = OrderTimeline['entries'][number];

const titles: Record<Exclude<Entry['what'], 'package'>, string> = {
  created: 'Ordered',
  paid: 'Paid',
  acknowledged: 'Acknowledged',
  shipped: 'Package shipped',
  held: 'Put on hold by the marketplace',
  released: 'Released by the marketplace',
  refund_requested: 'Refund requested',
  refund_settled: 'Refund paid back',
  refund_failed: 'Refund failed',
  canceled: 'Canceled',
  erased: 'Name and address erased',
};

/** What happened to an order, newest first. */
export function Timeline({ order }: { order: Order }) {
  const formats = useFormats();
  const timeline = useQuery(timelineQuery(order.order_id));
  const carriers = useQuery({ ...carriersQuery, enabled: order.packages.length > 0 }).data;
  return (
    <Panel title="Timeline">
      <Loaded query={timeline} skeleton={4}>
        {({ entries }) => (
          <ol className={styles.timeline}>
            {entries.toReversed().map((entry) => {
              const { at, what, id, detail } = entry;
              const more = moreAbout(entry, order, { carriers, formats });
              return (
                <li key={`${at} ${what} ${id} ${detail}`} data-tone={toneOf(entry)}>
                  <span>
                    {titleOf(entry)}
                    {more !== '' && <span className="muted">: {more}</span>}
                  </span>
                  <Ago at={at} className="muted small" />
                </li>
              );
            })}
          </ol>
        )}
      </Loaded>
    </Panel>
  );
}

function titleOf({ what, detail }: Entry): string {
  if (what !== 'package') return titles[what];
  if (detail === 'removed') return 'Package removed';
  const known = Object.entries(packageTexts).find(([state]) => state === detail)?.[1];
  return `Package: ${(known?.label ?? detail ?? '').toLowerCase()}`;
}

function moreAbout(
  { what, id, detail }: Entry,
  { packages, refunds }: Order,
  { carriers, formats }: { carriers: Record<string, string> | undefined; formats: Formats },
): string {
  if (what === 'held') return detail ?? '';
  const shipped = packages.find((each) => each.package_id === id);
  if (what === 'shipped' && shipped !== undefined) {
    const { carrier, tracking_number: number, quantity } = shipped;
    return `${carrierName(carriers, carrier)} ${number}, ${formats.count(quantity, 'unit')}`;
  }
  if (what === 'package') return shipped?.tracking_number ?? id ?? '';
  const refund = refunds.find((each) => each.refund_id === id);
  if (refund === undefined) return '';
  const { amount, reason, failure } = refund;
  if (what === 'refund_failed' && failure !== null) return failure;
  return what === 'refund_requested'
    ? `${formats.money(amount)}, ${inWords(reason).toLowerCase()}`
    : formats.money(amount);
}

function toneOf({ what, detail }: Entry): string {
  if (what === 'held' || what === 'refund_failed' || detail === 'untrackable') return 'bad';
  if (what === 'shipped' || detail === 'delivered') return 'good';
  return 'quiet';
}

import { Link } from '@tanstack/react-router';
import { MOST_DUE, type OrderCounts } from '../../src/console/order-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { DEFAULT_PAGE_SIZE, type OrderListing, OVERDUE } from '../orders/listing.ts';
import styles from './overview.module.css';

/** How many orders are late, and how many have to be shipped today and later; linked to the list. */
export function OrdersToShip({ orders }: { orders: OrderCounts }) {
  const { whole } = useFormats();
  const { overdue, due_today: today } = orders;
  const later = Math.max(0, orders.by_status.paid - overdue - today);
  const held = orders.by_status.pending_verification;
  const counted = (count: number): string => (count >= MOST_DUE ? `${whole(MOST_DUE)}+` : whole(count));
  const tiles: { label: string; count: string; tone?: string; search: OrderListing }[] = [
    {
      label: 'Overdue',
      count: counted(overdue),
      ...(overdue > 0 && { tone: 'bad' }),
      search: { status: OVERDUE },
    },
    {
      label: 'To ship today',
      count: counted(today),
      ...(today > 0 && { tone: 'warn' }),
      search: pageWith(overdue),
    },
    { label: 'To ship later', count: whole(later), search: pageWith(overdue + today) },
    ...(held > 0
      ? [{ label: 'On hold', count: whole(held), search: { status: 'pending_verification' } }]
      : []),
  ];
  return (
    <nav aria-label="Orders to ship">
      <ul className={styles.orders}>
        {tiles.map(({ label, count, tone, search }) => (
          <li key={label}>
            <Link to="/orders" search={search} className={styles.tile ?? ''}>
              <span className={styles.tileValue} data-tone={tone}>
                {count}
              </span>
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The page of the orders to ship, earliest due first, on which the order after so many others is. */
function pageWith(others: number): OrderListing {
  const page = Math.floor(others / DEFAULT_PAGE_SIZE) + 1;
  return page === 1 ? {} : { page: String(page) };
}

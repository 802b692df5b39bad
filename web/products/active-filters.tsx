import { useNavigate } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { IconX } from '../ui/icons.ts';
import { changeListing, type FilterName, filterNames, type Listing, statusLabels } from './listing.ts';
import { readableText } from './money-fields.ts';
import styles from './products.module.css';

const labels: Record<Exclude<FilterName, 'query'>, string> = {
  category: 'Category',
  condition: 'Condition',
  campaign: 'Campaign',
  price_from: 'Price from',
  price_below: 'Price below',
  stock_from: 'Stock from',
  stock_below: 'Stock below',
  images: 'Images',
};

/** The filters of a list, each with a button that removes it. Phones show the status here instead of tabs. */
export function ActiveFilters({ listing }: { listing: Listing }) {
  const navigate = useNavigate();
  const { money } = useFormats();
  const active = filterNames.flatMap((name) => {
    const value = listing[name];
    if (name === 'query' || value === undefined) return [];
    const isPrice = name === 'price_from' || name === 'price_below';
    const shown = isPrice ? readableText('buy_now_price', value, money) : value;
    return [{ name, label: labels[name], value: name === 'images' ? 'to check' : shown }];
  });
  const status = Object.entries(statusLabels).find(([name]) => name === listing.status)?.[1];
  if (active.length === 0 && status === undefined) return null;
  const go = (search: Listing): void => void navigate({ to: '/products', search, resetScroll: false });
  return (
    <ul
      className={`${styles.active} ${active.length === 0 ? styles.onPhones : ''}`}
      aria-label="Filters in use"
    >
      {status !== undefined && (
        <li className={styles.onPhones}>
          <FilterChip
            label="Status"
            value={status}
            onRemove={() => go(changeListing(listing, { status: '' }))}
          />
        </li>
      )}
      {active.map(({ name, label, value }) => (
        <li key={name}>
          <FilterChip
            label={label}
            value={value}
            onRemove={() => go(changeListing(listing, { [name]: '' }))}
          />
        </li>
      ))}
      {active.length > 0 && (
        <li>
          <button
            type="button"
            className="text-button small"
            onClick={() =>
              go(changeListing(listing, Object.fromEntries(active.map(({ name }) => [name, '']))))
            }
          >
            Remove all
          </button>
        </li>
      )}
    </ul>
  );
}

function FilterChip({ label, value, onRemove }: { label: string; value: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      className={styles.filter}
      aria-label={`Remove filter: ${label} ${value}`}
      onClick={onRemove}
    >
      <span className="muted">{label}</span> {value}
      <IconX size={13} />
    </button>
  );
}

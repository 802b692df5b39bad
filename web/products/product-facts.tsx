import type { Product } from '../../src/products/record/product.ts';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import { EmptyValue } from '../ui/empty-value.tsx';
import styles from './products.module.css';

type Kind = 'amount' | 'whole' | 'rating' | 'time' | 'text';
type Field = [field: keyof Product, label: string, kind: Kind];

const groups: { title: string; fields: Field[] }[] = [
  {
    title: 'Prices',
    fields: [
      ['retail_price', 'Retail price', 'amount'],
      ['buy_now_price', 'Buy-now price', 'amount'],
      ['cost_basis', 'Cost basis', 'amount'],
      ['reserve_price', 'Reserve price', 'amount'],
      ['minimum_bid_amount', 'Minimum bid', 'amount'],
      ['buy_one_get_one_price', 'BOGO price', 'amount'],
      ['accessory_price', 'Accessory price', 'amount'],
      ['accessory_description', 'Accessory description', 'text'],
    ],
  },
  {
    title: 'Auctions',
    fields: [
      ['scheduling_fee_bid', 'Scheduling fee bid', 'amount'],
      ['max_daily_schedules', 'Max schedules per day', 'whole'],
      ['campaign_name', 'Campaign', 'text'],
      ['sales_count', 'Sales', 'whole'],
      ['ratings_average', 'Rating', 'rating'],
      ['ratings_count', 'Ratings', 'whole'],
    ],
  },
  {
    title: 'Delivery',
    fields: [
      ['shipping_price', 'Shipping', 'amount'],
      ['expedited_shipping_price', 'Expedited shipping', 'amount'],
      ['shipping_origin', 'Ships from', 'text'],
      ['days_to_fulfill', 'Handling days', 'whole'],
      ['days_to_deliver', 'Delivery days', 'whole'],
      ['expedited_days_to_deliver', 'Expedited delivery days', 'whole'],
      ['weight', 'Weight', 'amount'],
      ['fulfillment_partner', 'Fulfillment partner', 'text'],
    ],
  },
  {
    title: 'Details',
    fields: [
      ['brand', 'Brand', 'text'],
      ['material', 'Material', 'text'],
      ['condition', 'Condition', 'text'],
      ['available_quantity', 'Available', 'whole'],
      ['internal_id', 'Internal ID', 'text'],
      ['created_at', 'Created', 'time'],
      ['updated_at', 'Updated', 'time'],
      ['disabled_at', 'Disabled', 'time'],
      ['deleted_at', 'Deleted', 'time'],
    ],
  },
];

export function ProductFacts({ product }: { product: Product }) {
  const formats = useFormats();
  return groups.map(({ title, fields }) => (
    <section key={title}>
      <h3>{title}</h3>
      <dl className={styles.facts}>
        {fields.map(([field, label, kind]) => (
          <Fact key={field} label={label} value={formatValue(product[field], kind, formats)} />
        ))}
      </dl>
    </section>
  ));
}

function Fact({ label, value }: { label: string; value: string | null }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value ?? <EmptyValue />}</dd>
    </>
  );
}

/** Returns the formatted value, or null if there is none. */
function formatValue(value: Product[keyof Product], kind: Kind, formats: Formats): string | null {
  if (value === null || typeof value === 'object') return null;
  if (kind === 'time') return formats.time(String(value));
  return typeof value === 'number' && kind !== 'text' ? formats[kind](value) : String(value);
}

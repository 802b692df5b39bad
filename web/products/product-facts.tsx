import type { Product } from '../../src/products/record/product.ts';
import { Nothing } from '../feedback/fact.tsx';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import styles from './products.module.css';

type Kind = 'amount' | 'whole' | 'rating' | 'time' | 'text';
type Field = [field: keyof Product, name: string, kind: Kind];

const groups: { title: string; fields: Field[] }[] = [
  {
    title: 'Prices',
    fields: [
      ['retail_price', 'Retail price', 'amount'],
      ['buy_now_price', 'Buy-now price', 'amount'],
      ['cost_basis', 'Cost basis', 'amount'],
      ['reserve_price', 'Reserve price', 'amount'],
      ['minimum_bid_amount', 'Minimum bid', 'amount'],
      ['buy_one_get_one_price', 'Buy one, get one', 'amount'],
      ['accessory_price', 'Accessory', 'amount'],
      ['accessory_description', 'Accessory’s description', 'text'],
    ],
  },
  {
    title: 'Auctions',
    fields: [
      ['scheduling_fee_bid', 'Scheduling fee bid', 'amount'],
      ['max_daily_schedules', 'Schedules a day at most', 'whole'],
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
      ['shipping_origin', 'Shipped from', 'text'],
      ['days_to_fulfill', 'Days to fulfil', 'whole'],
      ['days_to_deliver', 'Days to deliver', 'whole'],
      ['expedited_days_to_deliver', 'Days to deliver, expedited', 'whole'],
      ['weight', 'Weight', 'amount'],
      ['fulfillment_partner', 'Fulfilment partner', 'text'],
    ],
  },
  {
    title: 'Record',
    fields: [
      ['brand', 'Brand', 'text'],
      ['material', 'Material', 'text'],
      ['condition', 'Condition', 'text'],
      ['available_quantity', 'Available', 'whole'],
      ['internal_id', 'Internal id', 'text'],
      ['created_at', 'Made', 'time'],
      ['updated_at', 'Changed', 'time'],
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
        {fields.map(([field, name, kind]) => (
          <Fact key={field} name={name} value={shown(product[field], kind, formats)} />
        ))}
      </dl>
    </section>
  ));
}

function Fact({ name, value }: { name: string; value: string | null }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value ?? <Nothing />}</dd>
    </>
  );
}

function shown(value: Product[keyof Product], kind: Kind, formats: Formats): string | null {
  if (value === null || typeof value === 'object') return null;
  if (kind === 'time') return formats.time(String(value));
  return typeof value === 'number' && kind !== 'text' ? formats[kind](value) : String(value);
}

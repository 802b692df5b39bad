import type { ReactNode } from 'react';
import type { Product } from '../../src/products/record/product.ts';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import { EmptyValue } from '../ui/empty-value.tsx';
import type { ListColumn } from './columns.ts';
import { InlineCell } from './inline-cell.tsx';
import { type InlineValue, priceValue, stockValue } from './inline-value.ts';
import { tracksStock } from './listing.ts';
import { marginOf } from './margin.ts';
import styles from './products.module.css';
import { StatusChip } from './status-chip.tsx';

/** Phones show these without a value, too. */
const ALWAYS: ReadonlySet<string> = new Set(['available_quantity', 'buy_now_price']);

interface Props {
  product: Product;
  column: ListColumn;
  canEdit: boolean;
}

/** What a product has in a column. Its stock and its price can be changed there. */
export function ProductCell({ product, column, canEdit }: Props) {
  const formats = useFormats();
  const { name, label, short = label, kind, isMinor } = column;
  const value = shownValue(product, column, formats);
  const editable = canEdit && product.status !== 'deleted' ? editableValue(product, column) : undefined;
  const isMissing = value === null || (name === 'sales_count' && product.sales_count === 0);
  const classes = [
    kind === 'number' ? 'number' : styles[kind],
    isMinor === true && styles.wide,
    isMissing && !ALWAYS.has(name) && styles.empty,
  ];
  return (
    <td
      data-label={short}
      className={classes.filter((one) => typeof one === 'string').join(' ')}
      title={kind === 'text' && typeof value === 'string' ? value : undefined}
    >
      {editable === undefined ? (
        (value ?? <EmptyValue />)
      ) : (
        <InlineCell product={product} value={editable}>
          {value ?? <EmptyValue />}
        </InlineCell>
      )}
    </td>
  );
}

function editableValue(product: Product, { name }: ListColumn): InlineValue | undefined {
  if (name === 'buy_now_price') return priceValue;
  return name === 'available_quantity' ? stockValue(product) : undefined;
}

/** Returns the value as people read it; null if there is none. */
function shownValue(product: Product, { name }: ListColumn, formats: Formats): ReactNode {
  const { whole, money, rating, day } = formats;
  switch (name) {
    case 'status':
      return <StatusChip status={product.status} />;
    case 'available_quantity':
      return stockOf(product, formats);
    case 'margin':
      return marginText(product, formats);
    case 'campaign_name':
    case 'condition':
    case 'brand':
      return product[name];
    case 'ratings_average':
      return formatted(product[name], rating);
    case 'sales_count':
      return formatted(product[name], whole);
    case 'created_at':
    case 'updated_at':
      return formatted(product[name], day);
    default:
      return formatted(product[name], money);
  }
}

function formatted<Value>(value: Value | null, format: (value: Value) => string): string | null {
  return value === null ? null : format(value);
}

function marginText(product: Product, { money, percent }: Formats): ReactNode {
  const margin = marginOf(product);
  if (margin === null) return null;
  const isLoss = margin.amount < 0;
  return (
    <span
      className={isLoss ? styles.loss : undefined}
      title={isLoss ? `${money(margin.amount)}: the price is below cost` : money(margin.amount)}
    >
      {percent(margin.ratio)}
    </span>
  );
}

function stockOf(product: Product, { whole }: Formats): ReactNode {
  const { available_quantity: units, variations } = product;
  if (!tracksStock(product))
    return (
      <span title="Stock isn’t tracked">
        <EmptyValue />
      </span>
    );
  const text = formatted(units, whole);
  if (variations.length < 2 || stockValue(product) !== undefined) return text;
  return (
    <span title={`In ${variations.length} variations. Open the product to change it.`}>
      {text ?? <EmptyValue />}
    </span>
  );
}

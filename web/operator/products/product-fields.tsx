import type { ReactNode } from 'react';
import { type Product, productFields } from '../../../src/products/record/product.ts';
import { labelOf } from '../../products/fields.ts';
import { isMoney } from '../../products/money-fields.ts';
import { ProductImage } from '../../products/product-image.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useCurrencyFormats } from '../currency-formats.ts';
import { picturesOf } from '../moderation/review-fields.ts';
import styles from '../records.module.css';
import type { MerchantProduct } from './queries.ts';

/** Shown elsewhere on the page. */
const shownElsewhere: readonly (keyof Product)[] = [
  'status',
  'title',
  'variations',
  'primary_image',
  'extra_images',
];

/** Merchants cannot set them, so the console's form has no labels for them. */
const furtherLabels: Partial<Record<keyof Product, string>> = {
  identifier: 'Identifier',
  internal_id: 'ID',
  ratings_average: 'Average rating',
  ratings_count: 'Ratings',
  sales_count: 'Sales',
  created_at: 'Created',
  updated_at: 'Updated',
  disabled_at: 'Disabled',
  deleted_at: 'Deleted',
  catalog_only_at: 'In the catalog only',
};

const names = (Object.keys(productFields) as (keyof Product)[]).filter(
  (name) => !shownElsewhere.includes(name),
);

/** The pictures of a product, and its fields that have a value. */
export function ProductFields({ shown: { product, currency } }: { shown: MerchantProduct }) {
  const { time, whole, money } = useCurrencyFormats()(currency);
  const pictures = picturesOf(product);
  const textOf = (name: keyof Product, value: string | number): ReactNode => {
    if (productFields[name].kind === 'time') return time(String(value));
    if (name === 'internal_id') return value;
    if (typeof value === 'number') return isMoney(name) ? money(value) : whole(value);
    if (name === 'identifier') return <span className="mono">{value}</span>;
    return <span className={styles.text}>{value}</span>;
  };
  return (
    <Panel title="Product">
      {pictures.length > 0 && (
        <div className={styles.pictures}>
          {pictures.map((url, index) => (
            <ProductImage key={url} url={url} alt={`Picture ${index + 1}`} large />
          ))}
        </div>
      )}
      <dl className="facts">
        {names.map((name) => {
          const value = product[name];
          if (value === null || typeof value === 'object') return null;
          return (
            <Fact key={name} label={furtherLabels[name] ?? labelOf(name)}>
              {textOf(name, value)}
            </Fact>
          );
        })}
      </dl>
    </Panel>
  );
}

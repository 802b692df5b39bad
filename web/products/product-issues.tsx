import { useQuery } from '@tanstack/react-query';
import type { Product } from '../../src/products/record/product.ts';
import styles from './products.module.css';
import { issuesQuery } from './queries.ts';

/** Why the marketplace operator moderates a product. */
export function ProductIssues({ product: { identifier } }: { product: Product }) {
  const { data } = useQuery(issuesQuery(identifier));
  if (data === undefined || data.reasons.length === 0) return null;
  return (
    <section>
      <h3>Issues</h3>
      <ul className={styles.issues}>
        {data.reasons.map(({ code, field, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no identity and never move
          <li key={index}>
            {message} <span className="mono">{field === null ? code : `${field}: ${code}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { Product } from '../../src/products/record/product.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { ProductFacts } from './product-facts.tsx';
import { ProductImage } from './product-image.tsx';
import { ProductIssues } from './product-issues.tsx';
import styles from './products.module.css';
import { StatusChip } from './status-chip.tsx';
import { VariationsTable } from './variations-table.tsx';

/** All fields of a product. */
export function ProductDetail({ product }: { product: Product }) {
  const {
    title,
    identifier,
    status,
    category,
    description,
    primary_image: primary,
    extra_images: extra,
  } = product;
  const images = [primary, ...(extra?.split('|') ?? [])].filter((url) => url !== null && url.trim() !== '');
  return (
    <article className={styles.drawer}>
      <header className={styles.head}>
        <h2>{title ?? identifier}</h2>
        <div className={styles.headLine}>
          <StatusChip status={status} />
          <span className="mono">{identifier}</span>
          {category !== null && <span>{category}</span>}
        </div>
        {(status === 'banned' || status === 'problematic') && <ProductIssues product={product} />}
      </header>
      <div className={styles.images}>
        {images.length === 0 ? (
          <ProductImage url={null} large />
        ) : (
          images.map((url, index) => (
            <ProductImage key={url} url={url} alt={`Image ${index + 1} of ${title ?? identifier}`} large />
          ))
        )}
      </div>
      {description !== null && (
        <section>
          <h3>Description</h3>
          <p className={styles.description}>{description}</p>
        </section>
      )}
      <VariationsTable variations={product.variations} />
      <ProductFacts product={product} />
      <section>
        <h3>JSON</h3>
        <CodeBlock text={JSON.stringify(product, null, 2)} label="product as JSON" tall />
      </section>
    </article>
  );
}

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { StatusChip } from '../../products/status-chip.tsx';
import { ServerError } from '../../server/server-error.ts';
import { Chip } from '../../ui/chip.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from '../records.module.css';
import { useAllows } from '../session.ts';
import { ProductFields } from './product-fields.tsx';
import { ProductModeration } from './product-moderation.tsx';
import { ProductVariations } from './product-variations.tsx';
import { type MerchantProduct, productQuery } from './queries.ts';

const route = getRouteApi('/signed-in/products/$merchant/$product');

/** One product of a merchant, and what was decided about it. */
export function Page() {
  const { merchant, product } = route.useParams();
  const { test } = route.useSearch();
  const query = useQuery(productQuery(merchant, product, test));
  const { data, error } = query;
  if (data !== undefined) return <ProductRecord shown={data} />;
  if (error instanceof ServerError && error.status === 404) return <NotFound />;
  return (
    <>
      <PageHeader lead={<Link to="/products">All products</Link>} />
      <Panel>
        <Loaded query={query} skeleton={6} />
      </Panel>
    </>
  );
}

function ProductRecord({ shown }: { shown: MerchantProduct }) {
  const { merchant, product, test } = shown;
  const { external_id: id } = merchant;
  const maySeeOrders = useAllows('support');
  return (
    <>
      <PageHeader
        title={product.title ?? product.identifier}
        lead={
          <span className={styles.lead}>
            <Link to="/products">All products</Link>
            <Link to="/merchants/$merchant" params={{ merchant: id }}>
              {merchant.name}
            </Link>
            <StatusChip status={product.status} />
            {test && <Chip tone="accent">Test data</Chip>}
          </span>
        }
        actions={
          maySeeOrders && (
            <LinkButton
              to="/orders"
              search={{ merchant: id, query: product.identifier, ...(test && { test: 'true' }) }}
              variant="default"
            >
              Orders
            </LinkButton>
          )
        }
      />
      <div className={styles.columns}>
        <div className="parts">
          <ProductFields shown={shown} />
          {product.variations.length > 0 && <ProductVariations variations={product.variations} />}
        </div>
        <ProductModeration shown={shown} />
      </div>
    </>
  );
}

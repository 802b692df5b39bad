import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { CampaignProduct, CampaignProducts } from '../../src/console/console-api.ts';
import { MoreButton } from '../keys/more-button.tsx';
import { ProductImage } from '../products/product-image.tsx';
import { StatusChip } from '../products/status-chip.tsx';
import { request } from '../server/request.ts';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconBox } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import styles from './campaigns.module.css';

function productsQuery({ internal_id: id, name }: Campaign) {
  return infiniteQueryOptions({
    queryKey: ['campaigns', 'products', id, name],
    queryFn: ({ pageParam, signal }) =>
      request<CampaignProducts>(
        `campaigns/${encodeURIComponent(id)}/products${pageParam === null ? '' : `?before=${pageParam}`}`,
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
}

/** The products that name the campaign. */
export function ProductsOfCampaign({ campaign }: { campaign: Campaign }) {
  const pages = useInfiniteQuery(productsQuery(campaign));
  const { data, error, refetch } = pages;
  const products = data?.pages.flatMap((page) => page.products);
  return (
    <Panel title="Products" flush>
      {products === undefined ? (
        error === null ? (
          <TableSkeleton rows={3} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )
      ) : products.length === 0 ? (
        <NoProducts campaign={campaign} />
      ) : (
        <ul className={styles.products}>
          {products.map((product) => (
            <Product key={product.internal_id} product={product} />
          ))}
        </ul>
      )}
      <MoreButton pages={pages} label="Show more products" />
    </Panel>
  );
}

function NoProducts({ campaign }: { campaign: Campaign }) {
  const canEdit = useAllows('editor');
  if (campaign.status === 'Expired')
    return <EmptyState Icon={IconBox} title="No products" description="The campaign has ended." />;
  return (
    <EmptyState
      Icon={IconBox}
      title="No products yet"
      description="Add products to this campaign to start advertising."
    >
      {canEdit && <LinkButton to="/products">Add products</LinkButton>}
    </EmptyState>
  );
}

function Product({ product }: { product: CampaignProduct }) {
  return (
    <li className={styles.product}>
      <ProductImage url={product.primary_image} />
      <span className={styles.productNames}>
        <Link
          to="/products/$product"
          params={{ product: String(product.internal_id) }}
          className={styles.name ?? ''}
        >
          {product.title ?? product.identifier}
        </Link>
        <span className="mono muted">{product.identifier}</span>
      </span>
      <StatusChip status={product.status} />
    </li>
  );
}

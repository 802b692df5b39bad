import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { CampaignProduct, CampaignProducts } from '../../src/console/catalog-api.ts';
import { ProductImage } from '../products/product-image.tsx';
import { StatusChip } from '../products/status-chip.tsx';
import { listQuery } from '../server/list-query.ts';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconBox } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './campaigns.module.css';

const productsQuery = ({ internal_id: id, name }: Campaign) =>
  listQuery<CampaignProducts>(
    ['campaigns', 'products', id, name],
    `campaigns/${encodeURIComponent(id)}/products`,
  );

/** The products that name the campaign. */
export function ProductsOfCampaign({ campaign }: { campaign: Campaign }) {
  const list = useInfiniteQuery(productsQuery(campaign));
  return (
    <Panel title="Products" flush>
      <Loaded query={list} skeleton={3}>
        {({ pages }) =>
          pages[0]?.products.length === 0 ? (
            <NoProducts campaign={campaign} />
          ) : (
            <ul className={styles.products}>
              {pages.flatMap(({ products }) =>
                products.map((product) => <Product key={product.internal_id} product={product} />),
              )}
            </ul>
          )
        }
      </Loaded>
      <MoreButton list={list} label="Show more products" />
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

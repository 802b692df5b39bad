import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { productStatuses } from '../../../src/products/record/product.ts';
import { MAX_QUERY_LENGTH, statusLabels } from '../../products/listing.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconBox, IconFilterOff } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RecordFilters } from '../record-filters.tsx';
import { ProductsTable } from './products-table.tsx';
import { productsQuery } from './queries.ts';

const route = getRouteApi('/signed-in/products');

const statuses = productStatuses.map((value) => ({ value, label: statusLabels[value] }));

/** The products of all merchants: the newest ones, or what a search finds. */
export function Page() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const list = useInfiniteQuery({ ...productsQuery(search), placeholderData: keepPreviousData });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <PageHeader lead="What all merchants sell, newest first." />
      <RecordFilters
        records="products"
        search={search}
        merchantName={list.data?.pages[0]?.results[0]?.merchant.name}
        placeholder="Title, product ID or SKU"
        maxLength={MAX_QUERY_LENGTH}
        statuses={statuses}
        onChange={(changes) =>
          void navigate({
            to: '/products',
            search: { ...search, ...changes },
            replace: 'query' in changes,
            resetScroll: false,
          })
        }
      />
      <Panel flush>
        <Loaded query={list} skeleton={10}>
          {({ pages }) => {
            const products = pages.flatMap(({ results }) => results);
            if (products.length > 0)
              return <ProductsTable products={products} isTest={search.test === 'true'} />;
            if (list.hasNextPage)
              return (
                <EmptyState
                  Icon={IconFilterOff}
                  title="Nothing found so far"
                  description="Many merchants have these words, but in different products. The search can go on."
                />
              );
            return isFiltered ? (
              <EmptyState
                Icon={IconFilterOff}
                title="No matching products"
                description="The search finds the beginnings of words of a title, and of IDs and SKUs."
              >
                <LinkButton to="/products" variant="default">
                  Show all products
                </LinkButton>
              </EmptyState>
            ) : (
              <EmptyState
                Icon={IconBox}
                title="No products yet"
                description="Products that merchants create or import appear here."
              />
            );
          }}
        </Loaded>
      </Panel>
      <MoreButton list={list} label="Show more products" />
    </>
  );
}

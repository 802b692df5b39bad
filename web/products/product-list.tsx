import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { ProductPageView } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconBox, IconFilterOff } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Pager } from '../ui/pager.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { columnsOf, type ListColumn } from './columns.ts';
import { isFiltered, type Listing } from './listing.ts';
import styles from './products.module.css';
import { ProductsTable } from './products-table.tsx';
import { columnsQuery } from './queries.ts';
import { useSelection } from './use-selection.ts';

/** A page of products, or its loading, error or empty state. */
export function ProductList({ listing, list }: { listing: Listing; list: UseQueryResult<ProductPageView> }) {
  const { error, refetch, isPlaceholderData } = list;
  const { count } = useFormats();
  const canEdit = useAllows('editor');
  const selecting = useSelection(listing);
  const columns = useColumns(listing);
  // Deferred, so that the page stays responsive while hundreds of rows render.
  const data = useDeferredValue(list.data);
  if (error !== null && (data === undefined || isPlaceholderData)) {
    return (
      <Panel>
        <ErrorState error={error} retry={() => void refetch()}>
          <ClearFilters />
        </ErrorState>
      </Panel>
    );
  }
  if (data === undefined || columns === undefined) {
    return (
      <Panel flush>
        <TableSkeleton rows={12} height="45px" />
      </Panel>
    );
  }
  return (
    <>
      <div aria-busy={isPlaceholderData} className={isPlaceholderData ? styles.stale : undefined}>
        <Panel flush>
          {data.results.length > 0 ? (
            <>
              {canEdit ? (
                <BulkBar listing={listing} page={data} selecting={selecting} />
              ) : (
                <p className={`muted small ${styles.bulk}`} role="status">
                  {count(data.total_entries, 'product')}
                </p>
              )}
              <ProductsTable
                products={data.results}
                listing={listing}
                columns={columns}
                selection={selecting.selection}
                onSelect={selecting.select}
              />
            </>
          ) : (
            <NoProducts listing={listing} total={data.total_entries} />
          )}
        </Panel>
      </div>
      <Pager to="/products" search={listing} shown={data} items="products" />
    </>
  );
}

/** Returns the columns of a list; undefined until the user’s choice is known. */
function useColumns({ sort }: Listing): ListColumn[] | undefined {
  const { data, isError } = useQuery(columnsQuery);
  const chosen = data?.columns ?? null;
  const columns = useMemo(() => columnsOf(chosen, sort), [chosen, sort]);
  return data === undefined && !isError ? undefined : columns;
}

function NoProducts({ listing, total }: { listing: Listing; total: number }) {
  const canEdit = useAllows('editor');
  if (total > 0) {
    const { page: _, ...firstPage } = listing;
    return (
      <EmptyState
        Icon={IconFilterOff}
        title="No more results"
        description="This page is past the end of the list."
      >
        <LinkButton to="/products" activeOptions={{ exact: true }} search={firstPage} variant="default">
          Go to the first page
        </LinkButton>
      </EmptyState>
    );
  }
  if (listing.status !== undefined || isFiltered(listing)) {
    return (
      <EmptyState
        Icon={IconFilterOff}
        title="No matching products"
        description={
          listing.query !== undefined && listing.status === undefined
            ? 'No products match this search. Deleted products are under Deleted.'
            : 'No products match these filters.'
        }
      >
        <ClearFilters />
      </EmptyState>
    );
  }
  return (
    <EmptyState
      Icon={IconBox}
      title="No products yet"
      description="Upload a CSV, NDJSON, or Shopify export file. You can preview the changes before importing."
    >
      {canEdit && <LinkButton to="/products/import">Upload file</LinkButton>}
    </EmptyState>
  );
}

function ClearFilters() {
  return (
    <LinkButton to="/products" activeOptions={{ exact: true }} search={{}} variant="default" size="sm">
      Clear filters
    </LinkButton>
  );
}

import { IconBox, IconFilterOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { ProductPageView } from '../../src/console/console-api.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Pager } from '../feedback/pager.tsx';
import { RowsWaiting } from '../feedback/rows-waiting.tsx';
import { LinkButton } from '../shell/link-button.tsx';
import { Panel } from '../shell/panel.tsx';
import type { Listing } from './listing.ts';
import styles from './products.module.css';
import { ProductsTable } from './products-table.tsx';

/** The page of the list in whichever state it is. */
export function ProductList({ listing, list }: { listing: Listing; list: UseQueryResult<ProductPageView> }) {
  const { error, refetch, isPlaceholderData } = list;
  // Hundreds of rows are drawn in many small steps, so that the page can be used meanwhile.
  const data = useDeferredValue(list.data);
  if (error !== null && (data === undefined || isPlaceholderData)) {
    return (
      <Panel>
        <ErrorState error={error} retry={() => void refetch()}>
          <ShowAll />
        </ErrorState>
      </Panel>
    );
  }
  if (data === undefined) {
    return (
      <Panel flush>
        <RowsWaiting rows={12} height="3.85rem" />
      </Panel>
    );
  }
  return (
    <>
      <div aria-busy={isPlaceholderData} className={isPlaceholderData ? styles.before : undefined}>
        <Panel flush>
          {data.results.length > 0 ? (
            <ProductsTable products={data.results} listing={listing} />
          ) : (
            <NoProducts listing={listing} total={data.total_entries} />
          )}
        </Panel>
      </div>
      <Pager to="/products" search={listing} shown={data} things="products" />
    </>
  );
}

function NoProducts({ listing, total }: { listing: Listing; total: number }) {
  if (total > 0) {
    const { page: _, ...firstPage } = listing;
    return (
      <EmptyState
        Icon={IconFilterOff}
        title="This page is past the end"
        words="The list is shorter than that."
      >
        <LinkButton to="/products" activeOptions={{ exact: true }} search={firstPage} variant="default">
          Go to the first page
        </LinkButton>
      </EmptyState>
    );
  }
  if (listing.status !== undefined || listing.category !== undefined) {
    return (
      <EmptyState
        Icon={IconFilterOff}
        title="No products like that"
        words="None has this status in this category."
      >
        <ShowAll />
      </EmptyState>
    );
  }
  return (
    <EmptyState
      Icon={IconBox}
      title="No products yet"
      words="Upload a file: CSV, NDJSON, or the export of your Shopify shop. You see what it would change before anything is written."
    >
      <LinkButton to="/products/upload">Upload a file</LinkButton>
    </EmptyState>
  );
}

function ShowAll() {
  return (
    <LinkButton to="/products" activeOptions={{ exact: true }} search={{}} variant="default" size="sm">
      Show all products
    </LinkButton>
  );
}

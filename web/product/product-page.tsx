import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { productQuery } from '../products/queries.ts';
import { ServerError } from '../server/server-error.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ProductEditor } from './product-editor.tsx';

const route = getRouteApi('/signed-in/products/$product');

/** One product, with all fields that the merchant can edit. */
export function Page() {
  const { product: id } = route.useParams();
  const { data, error, refetch } = useQuery(productQuery(id));
  if (data !== undefined) return <ProductEditor key={id} latest={data} />;
  // 400: the URL has no internal ID.
  if (error instanceof ServerError && [400, 404].includes(error.status)) return <NotFound />;
  return (
    <>
      <PageHeader />
      {error !== null ? (
        <ErrorState error={error} retry={() => void refetch()}>
          <LinkButton to="/products" variant="default" size="sm">
            Go to products
          </LinkButton>
        </ErrorState>
      ) : (
        <div aria-busy="true">
          <span className="visually-hidden">Loading</span>
          <Skeleton height={420} radius="md" mb={16} />
          <Skeleton height={220} radius="md" />
        </div>
      )}
    </>
  );
}

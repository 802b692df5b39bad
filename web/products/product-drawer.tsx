import { Drawer, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ErrorState } from '../ui/error-state.tsx';
import { ProductDetail } from './product-detail.tsx';
import { productQuery } from './queries.ts';

/** The product named in the URL, in a drawer over the list. */
export function ProductDrawer({ internalId }: { internalId: string | undefined }) {
  const navigate = useNavigate();
  // The last product stays visible while the drawer closes.
  const [shown, setShown] = useState(internalId);
  useEffect(() => {
    if (internalId !== undefined) setShown(internalId);
  }, [internalId]);
  const close = (): void => {
    void navigate({ to: '/products', search: ({ product: _, ...rest }) => rest, resetScroll: false });
  };
  return (
    <Drawer
      opened={internalId !== undefined}
      onClose={close}
      position="right"
      size={620}
      title="Product"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {shown !== undefined && <Content internalId={shown} />}
    </Drawer>
  );
}

function Content({ internalId }: { internalId: string }) {
  const { data, error, refetch } = useQuery(productQuery(internalId));
  if (data !== undefined) return <ProductDetail product={data} />;
  if (error !== null) return <ErrorState error={error} retry={() => void refetch()} />;
  return (
    <div aria-busy="true">
      <span className="visually-hidden">Loading</span>
      <Skeleton height={26} width="70%" mb={12} />
      <Skeleton height={16} width="45%" mb={28} />
      <Skeleton height={140} mb={28} />
      <Skeleton height={300} />
    </div>
  );
}

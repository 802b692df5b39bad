import type { ReactNode } from 'react';
import { queryClient } from '../server/query-client.ts';
import styles from './products.module.css';
import { productQuery } from './queries.ts';

interface Props {
  id: string;
  onOpen: (internalId: string) => void;
  children: ReactNode;
}

/**
 * A link to a product's page. It is a plain anchor because the router's Link re-renders with every URL
 * change, which is too slow for hundreds of rows.
 */
export function ProductLink({ id, onOpen, children }: Props) {
  return (
    <a
      href={`/console/products/${id}`}
      className={styles.open}
      onPointerDown={() => void queryClient.prefetchQuery(productQuery(id))}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen(id);
      }}
    >
      {children}
    </a>
  );
}

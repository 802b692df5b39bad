import type { ReactNode } from 'react';
import styles from './products.module.css';

interface Props {
  id: string;
  /** The URL of the list that contains the product. */
  list: string;
  onOpen: (internalId: string) => void;
  children: ReactNode;
}

/**
 * A link that opens a product over its list. It is a plain anchor because the router's Link re-renders with
 * every URL change, which is too slow for hundreds of rows.
 */
export function ProductLink({ id, list, onOpen, children }: Props) {
  return (
    <a
      href={`${list}${list.includes('?') ? '&' : '?'}product=${id}`}
      className={styles.open}
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

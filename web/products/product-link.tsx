import type { ReactNode } from 'react';
import styles from './products.module.css';

interface Props {
  id: string;
  /** The address of the list that it is in. */
  list: string;
  onOpen: (internalId: string) => void;
  children: ReactNode;
}

/**
 * Opens a product over its list. A plain link: the router's own watches every change of the address, which
 * a row of hundreds should not.
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

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './shown-part.module.css';

interface Props {
  to: '/keys' | '/webhooks' | '/products/import';
  /** The text of the link to the whole list. */
  all: string;
  children: ReactNode;
}

/** Says which part of a list is shown, and leads to all of it. */
export function ShownPart({ to, all, children }: Props) {
  return (
    <p className={styles.part}>
      {children}{' '}
      <Link to={to} search={{}}>
        {all}
      </Link>
    </p>
  );
}

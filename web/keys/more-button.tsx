import { Button } from '@mantine/core';
import styles from './keys.module.css';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Loads the next page of a list that grows; nothing where there is none. */
export function MoreButton({ pages, label }: { pages: Pages; label: string }) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  return (
    hasNextPage && (
      <div className={styles.more}>
        <Button variant="default" size="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {label}
        </Button>
      </div>
    )
  );
}

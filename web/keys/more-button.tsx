import { Button } from '@mantine/core';
import styles from './keys.module.css';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** A button that loads the next page of a growing list; renders nothing after the last page. */
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

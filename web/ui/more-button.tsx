import { Button } from '@mantine/core';
import styles from './more-button.module.css';

interface List {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** A button that loads the next page of a growing list; renders nothing after the last page. */
export function MoreButton({ list, label }: { list: List; label: string }) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
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

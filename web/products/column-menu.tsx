import { Button, Checkbox, Popover } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProductColumns } from '../../src/console/catalog-api.ts';
import { queryClient } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { useSession } from '../session/session.ts';
import { IconColumns } from '../ui/icons.ts';
import { showError } from '../ui/notify.tsx';
import { allColumns, isChosen, type ListColumn } from './columns.ts';
import styles from './products.module.css';
import { columnsQuery } from './queries.ts';

/** The columns of the list. The server remembers the user’s choice, for this shop. */
export function ColumnMenu() {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(columnsQuery);
  const save = useSaveColumns();
  const isSupportView = useSession().support_view !== null;
  if (isSupportView) return null;
  const chosen = data?.columns ?? null;
  const change = (changed: ListColumn, isShown: boolean): void =>
    save(
      allColumns
        .filter((column) => (column === changed ? isShown : isChosen(chosen, column)))
        .map(({ name }) => name),
    );
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns size={16} />} onClick={() => setOpen(!isOpen)}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={styles.columns ?? ''}>
        {allColumns.map((column) => (
          <Checkbox
            key={column.name}
            size="sm"
            label={column.label}
            checked={isChosen(chosen, column)}
            onChange={(event) => change(column, event.currentTarget.checked)}
          />
        ))}
        <button type="button" className="text-button small" onClick={() => save(null)}>
          Restore default
        </button>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Returns a function that shows a choice at once, and stores it. */
function useSaveColumns(): (columns: string[] | null) => void {
  const { mutate } = useMutation({
    // One after the other, so that the last choice is the one that is stored.
    scope: { id: 'product-columns' },
    mutationFn: (columns: string[] | null) => post<ProductColumns>('product-columns', { columns }),
    onError: (error) => {
      showError(error);
      void queryClient.invalidateQueries(columnsQuery);
    },
  });
  return (columns) => {
    queryClient.setQueryData(columnsQuery.queryKey, { columns });
    mutate(columns);
  };
}

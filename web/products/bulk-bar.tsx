import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { ProductPageView } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { type BulkAction, BulkDialog, bulkActions } from './bulk-dialog.tsx';
import type { Listing } from './listing.ts';
import styles from './products.module.css';
import type { useSelection } from './use-selection.ts';

interface Props {
  listing: Listing;
  page: ProductPageView;
  selecting: ReturnType<typeof useSelection>;
}

/** How many products are selected, and what can be done with them. */
export function BulkBar({ listing, page, selecting }: Props) {
  const { whole, count: counted } = useFormats();
  const total = page.total_entries;
  const [action, setAction] = useState<BulkAction>();
  const { selection, select, selectAll, clear } = selecting;
  const shown = page.results.map(({ internal_id: id }) => id);
  const selectedHere = shown.filter((id) => selection.ids.has(id)).length;
  const isPageSelected = selection.all || selectedHere === shown.length;
  const count = selection.all ? total : selection.ids.size;
  const hasMore = !selection.all && isPageSelected && total > count;
  return (
    <section className={styles.bulk} aria-label="Bulk changes">
      <Checkbox
        // Phones show it once something is selected.
        className={count === 0 ? (styles.notOnPhones ?? '') : ''}
        label={count === 0 ? 'Select page' : `${whole(count)} selected`}
        checked={isPageSelected}
        indeterminate={!isPageSelected && count > 0}
        onChange={(event) => select(shown, event.currentTarget.checked)}
      />
      {count === 0 && (
        <span className="muted small" role="status">
          {counted(total, 'product')}
        </span>
      )}
      {hasMore && (
        <Button variant="subtle" size="compact-sm" onClick={selectAll}>
          Select all {whole(total)}
        </Button>
      )}
      {count > 0 && (
        <>
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            Clear
          </Button>
          <span className={styles.bulkActions}>
            <LinkButton
              to="/products/edit"
              search={selection.all ? listing : { ids: [...selection.ids].join(',') }}
              variant="default"
              size="compact-sm"
            >
              Edit in spreadsheet
            </LinkButton>
            {bulkActions.map((each) => (
              <Button key={each.name} variant="default" size="compact-sm" onClick={() => setAction(each)}>
                {each.name}
              </Button>
            ))}
          </span>
        </>
      )}
      {action !== undefined && (
        <BulkDialog
          action={action}
          count={count}
          listing={listing}
          selection={selection}
          onClose={() => setAction(undefined)}
        />
      )}
    </section>
  );
}

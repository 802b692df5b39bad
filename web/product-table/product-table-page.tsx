import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { LeaveDialog } from '../product/leave-dialog.tsx';
import { lastListing } from '../products/last-listing.ts';
import { useStore } from '../server/store.ts';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconArrowLeft, IconBox } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { rowsOf } from './cells.ts';
import styles from './product-table.module.css';
import { ProductTable } from './product-table.tsx';
import { type TableProducts, tableQuery } from './queries.ts';
import { TableBar } from './table-bar.tsx';
import { useTableEdits } from './use-table-edits.ts';

const route = getRouteApi('/signed-in/products/edit');

/** Many products in one table, to be edited like a spreadsheet. */
export function Page() {
  const search = route.useSearch();
  const listing = useStore(lastListing);
  const canEdit = useAllows('editor');
  const { data, error, refetch } = useQuery({ ...tableQuery(search), enabled: canEdit });
  return (
    <>
      <Link to="/products" search={listing} className={`small ${styles.back}`}>
        <IconArrowLeft size={15} aria-hidden="true" /> Products
      </Link>
      <PageHeader
        title="Edit in spreadsheet"
        lead="Type into cells, or paste from Excel or Google Sheets. Changes aren’t saved until you click Save."
      />
      <RoleNotice least="editor" action="change products" />
      {!canEdit ? null : error !== null ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={420} radius="md" aria-busy="true" />
      ) : data.products.length === 0 ? (
        <EmptyState
          Icon={IconBox}
          title="No products"
          description="Select products in the list, and then choose “Edit in spreadsheet”."
        >
          <LinkButton to="/products" variant="default" size="sm">
            Go to products
          </LinkButton>
        </EmptyState>
      ) : (
        <TableEditor loaded={data} />
      )}
    </>
  );
}

function TableEditor({ loaded: { products, total } }: { loaded: TableProducts }) {
  const { whole } = useFormats();
  const editing = useTableEdits(products);
  return (
    <>
      {total > products.length && (
        <p className="muted">
          These are the first {whole(products.length)} of {whole(total)} products. To edit others, filter the
          list.
        </p>
      )}
      <ProductTable rows={rowsOf(products)} editing={editing} />
      <TableBar editing={editing} />
      <LeaveDialog isDirty={editing.edited.length > 0} />
    </>
  );
}

import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { LeaveDialog } from '../product/leave-dialog.tsx';
import { BackToProducts } from '../products/back-to-products.tsx';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconBox } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { rowsOf } from './cells.ts';
import { ProductTable } from './product-table.tsx';
import { type TableProducts, tableQuery } from './queries.ts';
import { TableBar } from './table-bar.tsx';
import { useTableEdits } from './use-table-edits.ts';

const route = getRouteApi('/signed-in/products/edit');

/** Many products in one table, to be edited like a spreadsheet. */
export function Page() {
  const search = route.useSearch();
  const canEdit = useAllows('editor');
  const products = useQuery({ ...tableQuery(search), enabled: canEdit });
  return (
    <>
      <BackToProducts />
      <PageHeader lead="Type into cells, or paste from Excel or Google Sheets. Changes aren’t saved until you click Save." />
      <RoleNotice least="editor" action="change products" />
      {canEdit && (
        <Loaded query={products} skeleton={<Skeleton height={420} radius="md" aria-busy="true" />}>
          {(data) => (data.products.length === 0 ? <NoProducts /> : <TableEditor loaded={data} />)}
        </Loaded>
      )}
    </>
  );
}

function NoProducts() {
  return (
    <EmptyState
      Icon={IconBox}
      title="No products"
      description="Select products in the list, and then choose “Edit in spreadsheet”."
    >
      <LinkButton to="/products" variant="default" size="sm">
        Go to products
      </LinkButton>
    </EmptyState>
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

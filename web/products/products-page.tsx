import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { apiPath } from '../server/application.ts';
import { queryClient } from '../server/query-client.ts';
import { fileUrl } from '../server/shop.ts';
import { useAllows } from '../session/role.ts';
import { IconDownload, IconPlus, IconUpload } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { lastListing } from './last-listing.ts';
import { ListControls } from './list-controls.tsx';
import { DEFAULT_PAGE_SIZE, filtersOnly, toQuery } from './listing.ts';
import { ProductList } from './product-list.tsx';
import styles from './products.module.css';
import { pageQuery } from './queries.ts';

const route = getRouteApi('/signed-in/products');

/** On phones, a button shows only its icon. */
const compact = {
  root: styles.compact ?? '',
  section: styles.compactIcon ?? '',
  label: styles.compactLabel ?? '',
};

export function Page() {
  const listing = route.useSearch();
  const canEdit = useAllows('editor');
  const list = useQuery(pageQuery(listing));
  const page = list.data?.page;
  const isLast =
    list.data === undefined || page === undefined || page * list.data.per_page >= list.data.total_entries;
  const isCurrent = !list.isPlaceholderData;
  useEffect(() => {
    if (isLast || !isCurrent || Number(listing.per_page ?? DEFAULT_PAGE_SIZE) > 250) return;
    void queryClient.prefetchQuery(pageQuery({ ...listing, page: String(page + 1) }));
  }, [page, isLast, isCurrent, listing]);
  useEffect(() => lastListing.set(listing), [listing]);
  return (
    <>
      <PageHeader
        actions={
          <>
            <Button
              component="a"
              href={fileUrl(`${apiPath}products/export.csv${toQuery(filtersOnly(listing))}`)}
              variant="default"
              leftSection={<IconDownload size={17} />}
              title="Export CSV"
              classNames={compact}
            >
              Export CSV
            </Button>
            {canEdit && (
              <>
                <LinkButton
                  to="/products/import"
                  variant="default"
                  leftSection={<IconUpload size={17} />}
                  title="Upload file"
                  classNames={compact}
                >
                  Upload file
                </LinkButton>
                <LinkButton
                  to="/products/new"
                  leftSection={<IconPlus size={17} />}
                  title="Add product"
                  classNames={compact}
                >
                  Add product
                </LinkButton>
              </>
            )}
          </>
        }
      />
      <RoleNotice least="editor" action="change products" />
      <ListControls listing={listing} />
      <ProductList listing={listing} list={list} />
    </>
  );
}

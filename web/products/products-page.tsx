import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { apiPath } from '../server/application.ts';
import { queryClient } from '../server/query-client.ts';
import { useAllows } from '../session/role.ts';
import { IconDownload, IconPlus, IconUpload } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { lastListing } from './last-listing.ts';
import { ListControls } from './list-controls.tsx';
import { DEFAULT_PAGE_SIZE, filtersOnly, toQuery } from './listing.ts';
import { ProductList } from './product-list.tsx';
import { ProductTabs } from './product-tabs.tsx';
import { pageQuery } from './queries.ts';

const route = getRouteApi('/signed-in/products');

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
              href={`${apiPath}products/export.csv${toQuery(filtersOnly(listing))}`}
              variant="default"
              leftSection={<IconDownload size={17} />}
            >
              Export CSV
            </Button>
            {canEdit && (
              <>
                <LinkButton to="/products/import" variant="default" leftSection={<IconUpload size={17} />}>
                  Upload file
                </LinkButton>
                <LinkButton to="/products/new" leftSection={<IconPlus size={17} />}>
                  Add product
                </LinkButton>
              </>
            )}
          </>
        }
      />
      <RoleNotice least="editor" action="change products" />
      <ProductTabs listing={listing} />
      <ListControls listing={listing} />
      <ProductList listing={listing} list={list} />
    </>
  );
}

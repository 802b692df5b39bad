import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconFilterOff, IconPlus, IconShoppingBag } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import tabs from '../../ui/status-tabs.module.css';
import { useAllows } from '../session.ts';
import { CreateMerchant } from './create-merchant.tsx';
import styles from './merchants.module.css';
import { MerchantsTable } from './merchants-table.tsx';
import { type MerchantSearch, merchantsQuery } from './queries.ts';

const route = getRouteApi('/signed-in/merchants');

const filters: { label: string; filter: Omit<MerchantSearch, 'query'> }[] = [
  { label: 'All', filter: {} },
  { label: 'Active', filter: { state: 'active' } },
  { label: 'Suspended', filter: { state: 'suspended' } },
  { label: 'Calls failing', filter: { failing: 'calls' } },
  { label: 'Webhooks failing', filter: { failing: 'webhooks' } },
];

export function Page() {
  const search = route.useSearch();
  const { query = '', state, failing } = search;
  const navigate = useNavigate();
  const list = useInfiniteQuery({ ...merchantsQuery(search), placeholderData: keepPreviousData });
  const [opened, { open, close }] = useDisclosure(false);
  const isFiltered = Object.keys(search).length > 0;
  const create = useAllows('support') && (
    <Button leftSection={<IconPlus size={17} />} onClick={open}>
      Create merchant
    </Button>
  );
  return (
    <>
      <PageHeader lead="Who sells in this marketplace, and whose software does not work." actions={create} />
      <div className={styles.controls}>
        <nav aria-label="Filter" className={tabs.tabs}>
          {filters.map(({ label, filter }) => (
            <Link
              key={label}
              to="/merchants"
              search={query === '' ? filter : { ...filter, query }}
              className={tabs.tab ?? ''}
              activeOptions={{ exact: true }}
              aria-current={filter.state === state && filter.failing === failing ? 'page' : undefined}
              resetScroll={false}
            >
              {label}
            </Link>
          ))}
        </nav>
        <SearchField
          label="Search merchants"
          placeholder="Name, ID or email"
          query={query}
          maxLength={254}
          onSearch={(wanted) => {
            const { query: _, ...rest } = search;
            const changed = wanted === '' ? rest : { ...rest, query: wanted };
            void navigate({ to: '/merchants', search: changed, replace: true, resetScroll: false });
          }}
        />
      </div>
      <Panel flush>
        <Loaded query={list} skeleton={8}>
          {({ pages }) => {
            const merchants = pages.flatMap(({ results }) => results);
            if (merchants.length > 0) return <MerchantsTable merchants={merchants} />;
            return isFiltered ? (
              <EmptyState
                Icon={IconFilterOff}
                title="No matching merchants"
                description="The search finds the beginning of a name, an ID or an email."
              >
                <LinkButton to="/merchants" variant="default">
                  Show all merchants
                </LinkButton>
              </EmptyState>
            ) : (
              <EmptyState
                Icon={IconShoppingBag}
                title="No merchants yet"
                description="Create the first merchant, with a key for its software."
              >
                {create}
              </EmptyState>
            );
          }}
        </Loaded>
      </Panel>
      <MoreButton list={list} label="Show more merchants" />
      {opened && <CreateMerchant onClose={close} />}
    </>
  );
}

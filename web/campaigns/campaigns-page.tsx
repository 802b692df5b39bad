import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconFilterOff, IconPlus, IconSpeakerphone } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pager } from '../ui/pager.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { StatusTabs, tabsOf } from '../ui/status-tabs.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { emptyValues } from './amounts.ts';
import { statusLabels } from './campaign-status.tsx';
import { CampaignsTable } from './campaigns-table.tsx';
import { CreateCampaign } from './create-campaign.tsx';
import { campaignOverviewQuery, campaignsQuery } from './queries.ts';

const route = getRouteApi('/signed-in/campaigns');

export function Page() {
  const search = route.useSearch();
  const { data, error, refetch, isPlaceholderData } = useQuery(campaignsQuery(search));
  const overview = useQuery(campaignOverviewQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const canEdit = useAllows('editor');
  const create = canEdit && (
    <Button leftSection={<IconPlus size={17} />} onClick={open}>
      Create campaign
    </Button>
  );
  const hasFailed = error !== null && (data === undefined || isPlaceholderData);
  const isEmpty = overview.data?.counts.all === 0;
  return (
    <>
      <PageHeader lead="Promote products in auctions and track what you spend." actions={create} />
      <RoleNotice least="editor" action="create and change campaigns" />
      <StatusTabs to="/campaigns" search={search} tabs={tabsOf(statusLabels, overview.data?.counts)} />
      <Panel flush>
        {hasFailed ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <TableSkeleton rows={8} />
        ) : isEmpty ? (
          <EmptyState
            Icon={IconSpeakerphone}
            title="No campaigns yet"
            description="Create one here or through the API."
          >
            {create}
          </EmptyState>
        ) : data.results.length === 0 ? (
          <NoResults isPastEnd={data.total_entries > 0} />
        ) : (
          <CampaignsTable campaigns={data.results} />
        )}
      </Panel>
      {data !== undefined && !hasFailed && (
        <Pager to="/campaigns" search={search} shown={data} items="campaigns" />
      )}
      {opened && overview.data !== undefined && (
        <CreateCampaign
          title="Create campaign"
          initialValues={emptyValues}
          types={overview.data.types}
          onClose={close}
        />
      )}
    </>
  );
}

function NoResults({ isPastEnd }: { isPastEnd: boolean }) {
  return (
    <EmptyState
      Icon={isPastEnd ? IconSpeakerphone : IconFilterOff}
      title={isPastEnd ? 'No more results' : 'No matching campaigns'}
      description={isPastEnd ? 'This page is past the end of the list.' : 'No campaigns have this status.'}
    >
      <LinkButton to="/campaigns" activeOptions={{ exact: true }} variant="default">
        {isPastEnd ? 'Go to the first page' : 'Show all campaigns'}
      </LinkButton>
    </EmptyState>
  );
}

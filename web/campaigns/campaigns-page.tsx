import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconPlus, IconSpeakerphone } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pager } from '../ui/pager.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { CampaignsTable } from './campaigns-table.tsx';
import { CreateCampaign } from './create-campaign.tsx';
import { campaignsQuery } from './queries.ts';

const route = getRouteApi('/signed-in/campaigns');

export function Page() {
  const search = route.useSearch();
  const { data, error, refetch, isPlaceholderData } = useQuery(campaignsQuery(search));
  const [opened, { open, close }] = useDisclosure(false);
  const create = (
    <Button leftSection={<IconPlus size={17} aria-hidden="true" />} onClick={open}>
      Create campaign
    </Button>
  );
  const hasFailed = error !== null && (data === undefined || isPlaceholderData);
  return (
    <>
      <PageHeader title="Campaigns" lead="Advertise your products." actions={create} />
      <Panel flush>
        {hasFailed ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <TableSkeleton rows={8} />
        ) : data.total_entries === 0 ? (
          <EmptyState
            Icon={IconSpeakerphone}
            title="No campaigns yet"
            description="Create one here or through the API."
          >
            {create}
          </EmptyState>
        ) : data.campaigns.length === 0 ? (
          <EmptyState
            Icon={IconSpeakerphone}
            title="No more results"
            description="This page is past the end of the list."
          >
            <LinkButton to="/campaigns" activeOptions={{ exact: true }} variant="default">
              Go to the first page
            </LinkButton>
          </EmptyState>
        ) : (
          <CampaignsTable campaigns={data.campaigns} />
        )}
      </Panel>
      {data !== undefined && !hasFailed && (
        <Pager to="/campaigns" search={search} shown={data} items="campaigns" />
      )}
      <CreateCampaign opened={opened} onClose={close} types={data?.types?.map(({ name }) => name) ?? null} />
    </>
  );
}

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Pager } from '../feedback/pager.tsx';
import { RowsWaiting } from '../feedback/rows-waiting.tsx';
import { LinkButton } from '../shell/link-button.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { Panel } from '../shell/panel.tsx';
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
      Create a campaign
    </Button>
  );
  const hasFailed = error !== null && (data === undefined || isPlaceholderData);
  return (
    <>
      <PageHeader
        title="Campaigns"
        lead="What you spend to have your products seen, newest first."
        actions={create}
      />
      <Panel flush>
        {hasFailed ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <RowsWaiting rows={8} />
        ) : data.total_entries === 0 ? (
          <EmptyState
            Icon={IconSpeakerphone}
            title="No campaigns yet"
            words="Create one here, or let your software do so by the API."
          >
            {create}
          </EmptyState>
        ) : data.campaigns.length === 0 ? (
          <EmptyState
            Icon={IconSpeakerphone}
            title="This page is past the end"
            words="The list is shorter than that."
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
        <Pager to="/campaigns" search={search} shown={data} things="campaigns" />
      )}
      <CreateCampaign opened={opened} onClose={close} types={data?.types ?? null} />
    </>
  );
}

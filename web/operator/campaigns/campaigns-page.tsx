import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { campaignStatuses } from '../../../src/campaigns/campaign.ts';
import { statusLabels } from '../../campaigns/campaign-status.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconSpeakerphone } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateTabs } from '../tabs.tsx';
import { CampaignTable } from './campaign-table.tsx';
import { FiguresPanels } from './figures-panels.tsx';
import { campaignsQuery, type MerchantCampaign } from './queries.ts';
import { type CampaignState, SetCampaignState } from './set-campaign-state.tsx';

const route = getRouteApi('/signed-in/campaigns');

/** Without numbers: counting all campaigns takes too long. */
const tabs = [
  { state: undefined, label: 'All' },
  ...campaignStatuses.map((state) => ({ state, label: statusLabels[state] })),
];

export function Page() {
  const filter = route.useSearch();
  const { state: _, ...rest } = filter;
  const list = useInfiniteQuery(campaignsQuery(filter));
  const [change, setChange] = useState<{ of: MerchantCampaign; to: CampaignState }>();
  return (
    <>
      <PageHeader lead="What all merchants advertise, newest first." />
      <div className="parts">
        <FiguresPanels filter={filter} />
        <div>
          <StateTabs to="/campaigns" tabs={tabs} current={filter.state} rest={rest} />
          <Panel flush>
            <Loaded query={list} skeleton={10}>
              {({ pages }) =>
                pages[0]?.results.length === 0 ? (
                  <EmptyState
                    Icon={IconSpeakerphone}
                    title={filter.state === undefined ? 'No campaigns yet' : 'No such campaigns'}
                    description={
                      filter.state === undefined
                        ? 'Campaigns that merchants create appear here.'
                        : 'No merchant has a campaign in this state.'
                    }
                  />
                ) : (
                  <CampaignTable
                    campaigns={pages.flatMap(({ results }) => results)}
                    onChange={(of, to) => setChange({ of, to })}
                  />
                )
              }
            </Loaded>
            <MoreButton list={list} label="Show more" />
          </Panel>
        </div>
      </div>
      {change !== undefined && (
        <SetCampaignState campaign={change.of} state={change.to} onClose={() => setChange(undefined)} />
      )}
    </>
  );
}

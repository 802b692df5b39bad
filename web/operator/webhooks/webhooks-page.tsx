import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconCircleCheck, IconWebhook } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateTabs } from '../tabs.tsx';
import { MarketplaceWebhooks } from './marketplace-webhooks.tsx';
import { OnlyMerchant } from './only-merchant.tsx';
import { type WebhooksSearch, webhookQuery, webhooksQuery } from './queries.ts';
import { MARKETPLACE, tabs } from './tabs.ts';
import { WebhookDetails } from './webhook-details.tsx';
import { WebhookTable } from './webhook-table.tsx';

const route = getRouteApi('/signed-in/webhooks');

export function Page() {
  const search = route.useSearch();
  const { merchant, webhook, state } = search;
  if (webhook !== undefined) return <OneWebhook merchant={merchant} id={webhook} />;
  return merchant === undefined && state === MARKETPLACE ? (
    <MarketplaceWebhooks />
  ) : (
    <WebhookList search={search} />
  );
}

function OneWebhook({ merchant, id }: { merchant: string | undefined; id: string }) {
  const found = useQuery(webhookQuery(merchant, id));
  return (
    <Loaded query={found} skeleton={4}>
      {(webhook) => <WebhookDetails webhook={webhook} />}
    </Loaded>
  );
}

function WebhookList({ search }: { search: WebhooksSearch }) {
  const { state, merchant, test } = search;
  const list = useInfiniteQuery(webhooksQuery(search));
  const rest = { ...(merchant !== undefined && { merchant }), ...(test !== undefined && { test }) };
  return (
    <>
      <PageHeader lead="Where merchants’ software receives events. The oldest failure comes first." />
      {merchant !== undefined && <OnlyMerchant merchant={merchant} search={search} />}
      <StateTabs
        to="/webhooks"
        tabs={merchant === undefined ? tabs : tabs.filter(({ state }) => state !== MARKETPLACE)}
        current={state}
        rest={rest}
      />
      <Panel flush>
        <Loaded query={list} skeleton={6}>
          {({ pages }) =>
            pages[0]?.results.length === 0 ? (
              <EmptyState
                Icon={state === undefined ? IconCircleCheck : IconWebhook}
                title={state === undefined ? 'No failing webhooks' : `No webhook is ${state}`}
                description={
                  merchant === undefined
                    ? 'Webhooks of all merchants appear here, live and test ones.'
                    : `Webhooks of this merchant for ${test === 'true' ? 'test' : 'live'} data appear here.`
                }
              />
            ) : (
              <WebhookTable webhooks={pages.flatMap(({ results }) => results)} />
            )
          }
        </Loaded>
        <MoreButton list={list} label="Show more webhooks" />
      </Panel>
    </>
  );
}

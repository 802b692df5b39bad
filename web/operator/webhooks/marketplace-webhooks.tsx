import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconWebhook } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateTabs } from '../tabs.tsx';
import { marketplaceWebhooksQuery } from './queries.ts';
import { MARKETPLACE, tabs } from './tabs.ts';
import { WebhookTable } from './webhook-table.tsx';

/** The webhooks of the marketplace itself, in all states. */
export function MarketplaceWebhooks() {
  const list = useQuery(marketplaceWebhooksQuery());
  return (
    <>
      <PageHeader lead="Where the marketplace’s own software receives the events of all merchants." />
      <StateTabs to="/webhooks" tabs={tabs} current={MARKETPLACE} />
      <Panel flush>
        <Loaded query={list} skeleton={3}>
          {({ results }) =>
            results.length === 0 ? (
              <EmptyState
                Icon={IconWebhook}
                title="No webhooks of the marketplace"
                description={
                  <>
                    Create one with <code>tradepost webhooks create URL</code>, or with{' '}
                    <code>POST webhooks</code> of the operator API.
                  </>
                }
              />
            ) : (
              <WebhookTable webhooks={results} />
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

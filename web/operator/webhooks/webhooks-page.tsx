import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Ago } from '../../format/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconCircleCheck, IconWebhook } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { WebhookState } from '../../webhooks/webhook-state.tsx';
import styles from '../../webhooks/webhooks.module.css';
import { StateTabs } from '../tabs.tsx';
import { webhookQuery, webhooksQuery } from './queries.ts';
import { reasonsForOperator } from './reasons.ts';
import { WebhookDetails } from './webhook-details.tsx';

const route = getRouteApi('/signed-in/webhooks');

const tabs = [
  { state: undefined, label: 'Failing' },
  { state: 'disabled', label: 'Disabled' },
  { state: 'enabled', label: 'Enabled' },
];

export function Page() {
  const { state, merchant, webhook } = route.useSearch();
  return merchant !== undefined && webhook !== undefined ? (
    <OneWebhook path={{ external_id: merchant, webhook }} />
  ) : (
    <AllWebhooks state={state} />
  );
}

function OneWebhook({ path }: { path: { external_id: string; webhook: string } }) {
  const found = useQuery(webhookQuery(path));
  return (
    <Loaded query={found} skeleton={4}>
      {(webhook) => <WebhookDetails webhook={webhook} />}
    </Loaded>
  );
}

function AllWebhooks({ state }: { state: string | undefined }) {
  const list = useInfiniteQuery(webhooksQuery(state));
  return (
    <>
      <PageHeader lead="Where merchants’ software receives events. The oldest failure comes first." />
      <StateTabs to="/webhooks" tabs={tabs} current={state} />
      <Panel flush>
        <Loaded query={list} skeleton={6}>
          {({ pages }) =>
            pages[0]?.results.length === 0 ? (
              <EmptyState
                Icon={state === undefined ? IconCircleCheck : IconWebhook}
                title={state === undefined ? 'No failing webhooks' : `No webhook is ${state}`}
                description="Webhooks of all merchants appear here, live and test ones."
              />
            ) : (
              <Table
                rows={pages.flatMap(({ results }) => results)}
                keyOf={({ id }) => id}
                columns={[
                  {
                    label: 'Webhook',
                    kind: 'lead',
                    cell: ({ id, url, test, merchant }) => (
                      <>
                        <Link
                          to="/webhooks"
                          search={{ merchant: merchant.external_id, webhook: id }}
                          className={styles.name ?? ''}
                        >
                          {url}
                        </Link>
                        {test && <Chip tone="accent">Test</Chip>}
                        <span className="muted small">{merchant.name}</span>
                      </>
                    ),
                  },
                  {
                    label: 'Status',
                    cell: (webhook) => <WebhookState webhook={webhook} reasons={reasonsForOperator} />,
                  },
                  {
                    label: 'Created',
                    className: 'nowrap',
                    cell: ({ created_at: at }) => <Ago at={at} />,
                  },
                ]}
              />
            )
          }
        </Loaded>
        <MoreButton list={list} label="Show more webhooks" />
      </Panel>
    </>
  );
}

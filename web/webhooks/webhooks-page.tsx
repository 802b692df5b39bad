import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { isDown } from '../../src/webhooks/is-down.ts';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconCircleCheck, IconPlus, IconWebhook } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { ShownPart } from '../ui/shown-part.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { webhooksQuery } from './queries.ts';
import { WebhookDetails } from './webhook-details.tsx';
import { WebhooksTable } from './webhooks-table.tsx';

const route = getRouteApi('/signed-in/webhooks');

/** The status in the URL of the list of webhooks that do not work. */
const FAILING = 'failing';

export function Page() {
  const { webhook: id, status } = route.useSearch();
  const isDownOnly = status === FAILING;
  const list = useQuery(webhooksQuery);
  const { data } = list;
  const isOwner = useAllows('owner');
  const [isAdding, setIsAdding] = useState(false);
  if (id !== undefined && data !== undefined) {
    const webhook = data.webhooks.find((each) => each.id === id);
    return webhook === undefined ? <NotFound /> : <WebhookDetails webhook={webhook} types={data.types} />;
  }
  const add = isOwner && (
    <Button leftSection={<IconPlus size={17} />} onClick={() => setIsAdding(true)}>
      Add webhook
    </Button>
  );
  return (
    <>
      <PageHeader lead="Get notified in real time when products, stock, or campaigns change." actions={add} />
      <RoleNotice least="owner" action="add and change webhooks" />
      {isDownOnly && (
        <ShownPart to="/webhooks" all="Show all webhooks">
          Only webhooks that don’t work are shown.
        </ShownPart>
      )}
      <Panel flush>
        <Loaded query={list} skeleton={3}>
          {({ webhooks }) =>
            isDownOnly && !webhooks.some(isDown) ? (
              <EmptyState
                Icon={IconCircleCheck}
                title="Every webhook works"
                description="Webhooks appear here when their deliveries fail."
              />
            ) : webhooks.length === 0 ? (
              <EmptyState
                Icon={IconWebhook}
                title="No webhooks yet"
                description="Add the address of your software, and it receives changes within seconds."
              >
                {add}
              </EmptyState>
            ) : (
              <WebhooksTable webhooks={isDownOnly ? webhooks.filter(isDown) : webhooks} />
            )
          }
        </Loaded>
      </Panel>
      {isAdding && data !== undefined && (
        <EditWebhook types={data.types} onClose={() => setIsAdding(false)} />
      )}
    </>
  );
}

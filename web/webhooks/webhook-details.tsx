import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConsoleWebhook, LastAttempt, Replayed } from '../../src/console/console-api.ts';
import { refresh } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { useAllows } from '../session/role.ts';
import { Chip } from '../ui/chip.tsx';
import { FormError } from '../ui/form-error.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { DeleteWebhook } from './delete-webhook.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { deliveriesQuery } from './queries.ts';
import { ReplayEvents } from './replay-events.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { TestWebhook } from './test-webhook.tsx';
import { WebhookState } from './webhook-state.tsx';
import styles from './webhooks.module.css';
import { typesText } from './webhooks-table.tsx';

type OpenDialog = 'edit' | 'rotate' | 'test' | 'replay' | 'delete';

/** One webhook: its settings, what can be done with it, and its deliveries. */
export function WebhookDetails({ webhook, types }: { webhook: ConsoleWebhook; types: readonly string[] }) {
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const isOwner = useAllows('owner');
  const isDisabled = webhook.state === 'disabled';
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => post<ConsoleWebhook>(`webhooks/${webhook.id}`, { enabled: isDisabled }),
    onSuccess: () => refresh('webhooks', 'overview'),
  });
  const replay = (events: object): Promise<Replayed> => post(`webhooks/${webhook.id}/replay`, events);
  const actions: [OpenDialog, string][] = [
    ['test', 'Send test event'],
    ['edit', 'Edit'],
    ['rotate', 'Rotate secret'],
    ...(isDisabled ? [] : ([['replay', 'Resend events']] satisfies [OpenDialog, string][])),
    ['delete', 'Delete'],
  ];
  return (
    <>
      <PageHeader
        title="Webhook"
        lead={<Link to="/webhooks">All webhooks</Link>}
        actions={
          isOwner && (
            <Button variant={isDisabled ? 'filled' : 'default'} loading={isPending} onClick={() => mutate()}>
              {isDisabled ? 'Enable' : 'Disable'}
            </Button>
          )
        }
      />
      <RoleNotice least="owner" action="change webhooks" />
      <FormError error={error} />
      <div className="parts">
        <Panel title="Settings" aside={webhook.mode === 'test' ? <Chip tone="accent">Test</Chip> : undefined}>
          <dl className="facts">
            <dt>URL</dt>
            <dd className={styles.url}>{webhook.url}</dd>
            <dt>Status</dt>
            <dd>
              <WebhookState webhook={webhook} />
            </dd>
            <dt>Events</dt>
            <dd>{webhook.types.length === 0 ? typesText(webhook) : webhook.types.join(', ')}</dd>
            {webhook.description !== '' && (
              <>
                <dt>Description</dt>
                <dd>{webhook.description}</dd>
              </>
            )}
          </dl>
          {isOwner && (
            <div className={styles.actions}>
              {actions.map(([name, label]) => (
                <Button key={name} variant="default" size="sm" onClick={() => setDialog(name)}>
                  {label}
                </Button>
              ))}
            </div>
          )}
        </Panel>
        <Deliveries
          query={(onlyFailed) => deliveriesQuery(webhook.id, onlyFailed)}
          resend={isDisabled ? undefined : (eventId) => replay({ event_id: eventId })}
        />
      </div>
      {dialog === 'edit' && <EditWebhook webhook={webhook} types={types} onClose={close} />}
      {dialog === 'rotate' && <RotateSecret webhook={webhook} onClose={close} />}
      {dialog === 'test' && (
        <TestWebhook
          url={webhook.url}
          send={() => post<LastAttempt>(`webhooks/${webhook.id}/test`)}
          onClose={close}
        />
      )}
      {dialog === 'replay' && <ReplayEvents replay={replay} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </>
  );
}

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { refresh } from '../../server/query-client.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Deliveries } from '../../webhooks/deliveries.tsx';
import { ReplayEvents } from '../../webhooks/replay-events.tsx';
import { TestWebhook } from '../../webhooks/test-webhook.tsx';
import { WebhookState } from '../../webhooks/webhook-state.tsx';
import styles from '../../webhooks/webhooks.module.css';
import { call } from '../call.ts';
import { useAllows } from '../session.ts';
import { type MerchantWebhook, merchantDeliveriesQuery } from './queries.ts';
import { reasonsForOperator } from './reasons.ts';

/** One webhook of a merchant: its state, what the operator can do, and its deliveries. */
export function WebhookDetails({ webhook }: { webhook: MerchantWebhook }) {
  const [dialog, setDialog] = useState<'test' | 'replay' | 'disable'>();
  const close = (): void => setDialog(undefined);
  const isAdmin = useAllows('admin');
  const { merchant, url, types, description, test } = webhook;
  const isDisabled = webhook.state === 'disabled';
  const path = { external_id: merchant.external_id, webhook: webhook.id };
  const change = useMutation({
    mutationFn: () => call('changeMerchantWebhook', path, { enabled: isDisabled }),
    onSuccess: () => {
      void refresh('webhooks');
      close();
    },
  });
  const { mutate, error, isPending } = change;
  const replay = (events: { event_id: string } | { since: string; only_failed: boolean }) =>
    call('replayMerchantWebhook', path, events);
  return (
    <>
      <PageHeader
        title="Webhook"
        lead={<Link to="/webhooks">All webhooks</Link>}
        actions={
          isAdmin && (
            <Button
              variant={isDisabled ? 'filled' : 'default'}
              loading={isPending}
              onClick={() => (isDisabled ? mutate() : setDialog('disable'))}
            >
              {isDisabled ? 'Enable' : 'Disable'}
            </Button>
          )
        }
      />
      {dialog !== 'disable' && <FormError error={error} />}
      <div className="parts">
        <Panel title="Settings" aside={test ? <Chip tone="accent">Test</Chip> : undefined}>
          <dl className="facts">
            <dt>Merchant</dt>
            <dd>
              <Link to="/calls" search={{ merchant: merchant.external_id }}>
                {merchant.name}
              </Link>
            </dd>
            <dt>URL</dt>
            <dd className={styles.url}>{url}</dd>
            <dt>Status</dt>
            <dd>
              <WebhookState webhook={webhook} reasons={reasonsForOperator} />
            </dd>
            <dt>Events</dt>
            <dd>{types.length === 0 ? 'All events' : types.join(', ')}</dd>
            {description !== '' && (
              <>
                <dt>Description</dt>
                <dd>{description}</dd>
              </>
            )}
          </dl>
          {isAdmin && (
            <div className={styles.actions}>
              <Button variant="default" size="sm" onClick={() => setDialog('test')}>
                Send test event
              </Button>
              {!isDisabled && (
                <Button variant="default" size="sm" onClick={() => setDialog('replay')}>
                  Resend events
                </Button>
              )}
            </div>
          )}
        </Panel>
        <Deliveries
          query={(onlyFailed) => merchantDeliveriesQuery(path, onlyFailed)}
          resend={isDisabled || !isAdmin ? undefined : (eventId) => replay({ event_id: eventId })}
        />
      </div>
      {dialog === 'test' && (
        <TestWebhook url={url} send={() => call('testMerchantWebhook', path)} onClose={close} />
      )}
      {dialog === 'disable' && (
        <ConfirmDialog
          title="Disable webhook?"
          text={
            <p>
              Messages to {url} that wait are not sent, and its owner sees that an operator has disabled it.
            </p>
          }
          action="Disable"
          mutation={change}
          onConfirm={() => mutate()}
          onClose={close}
        />
      )}
      {dialog === 'replay' && <ReplayEvents replay={replay} onClose={close} />}
    </>
  );
}

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
import styles from '../../webhooks/webhooks.module.css';
import { useAllows } from '../session.ts';
import { OperatorWebhookState } from './operator-webhook-state.tsx';
import { type AnyWebhook, merchantOf } from './queries.ts';
import { MARKETPLACE } from './tabs.ts';
import { callsForMarketplace, callsForMerchant } from './webhook-calls.ts';

/**
 * One webhook of a merchant or of the marketplace: its state, what the operator can do, and its
 * deliveries.
 */
export function WebhookDetails({ webhook }: { webhook: AnyWebhook }) {
  const [dialog, setDialog] = useState<'test' | 'replay' | 'disable'>();
  const close = (): void => setDialog(undefined);
  const isAdmin = useAllows('admin');
  const { id, url, types, description } = webhook;
  const { merchant, test } = merchantOf(webhook);
  const isDisabled = webhook.state === 'disabled';
  const calls = merchant === undefined ? callsForMarketplace(id) : callsForMerchant(merchant.external_id, id);
  const change = useMutation({
    mutationFn: () => calls.change(isDisabled),
    onSuccess: () => {
      void refresh('webhooks');
      close();
    },
  });
  const { mutate, error, isPending } = change;
  return (
    <>
      <PageHeader
        title="Webhook"
        lead={
          <Link to="/webhooks" search={merchant === undefined ? { state: MARKETPLACE } : {}}>
            All webhooks
          </Link>
        }
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
            <dt>Owner</dt>
            <dd>
              {merchant === undefined ? (
                'Marketplace'
              ) : (
                <Link to="/merchants/$merchant" params={{ merchant: merchant.external_id }}>
                  {merchant.name}
                </Link>
              )}
            </dd>
            <dt>URL</dt>
            <dd className={styles.url}>{url}</dd>
            <dt>Status</dt>
            <dd>
              <OperatorWebhookState webhook={webhook} />
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
          query={calls.deliveries}
          resend={isDisabled || !isAdmin ? undefined : (eventId) => calls.replay({ event_id: eventId })}
        />
      </div>
      {dialog === 'test' && <TestWebhook url={url} send={calls.test} onClose={close} />}
      {dialog === 'disable' && (
        <ConfirmDialog
          title="Disable webhook?"
          text={
            <p>
              Messages to {url} that wait are not sent
              {merchant !== undefined && ', and its owner sees that an operator has disabled it'}.
            </p>
          }
          action="Disable"
          mutation={change}
          onConfirm={() => mutate()}
          onClose={close}
        />
      )}
      {dialog === 'replay' && <ReplayEvents replay={calls.replay} onClose={close} />}
    </>
  );
}

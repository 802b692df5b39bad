import { Button, Checkbox } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConsoleWebhook, Delivery, Replayed } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { MoreButton } from '../keys/more-button.tsx';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { Chip, type Tone } from '../ui/chip.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconHistory } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { AttemptResult } from './attempt-result.tsx';
import { deliveriesQuery } from './queries.ts';
import styles from './webhooks.module.css';

const tones: Record<Delivery['state'], Tone> = { pending: 'warn', delivered: 'good', failed: 'bad' };
const labels: Record<Delivery['state'], string> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** The deliveries to a webhook, newest event first. */
export function Deliveries({ webhook }: { webhook: ConsoleWebhook }) {
  const [onlyFailed, setOnlyFailed] = useState(false);
  const pages = useInfiniteQuery(deliveriesQuery(webhook.id, onlyFailed));
  const deliveries = pages.data?.pages.flatMap((page) => page.deliveries);
  const filter = (
    <Checkbox
      label="Failed only"
      checked={onlyFailed}
      onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
    />
  );
  return (
    <Panel title="Deliveries" aside={filter} flush>
      {deliveries !== undefined ? (
        deliveries.length === 0 ? (
          <EmptyState
            Icon={IconHistory}
            title={onlyFailed ? 'No failed deliveries' : 'No deliveries yet'}
            description={
              onlyFailed
                ? 'Every event of the last 30 days was delivered or is on its way.'
                : 'Events appear here as soon as they are sent.'
            }
          />
        ) : (
          <ul className={styles.deliveries}>
            {deliveries.map((delivery) => (
              <DeliveryEntry key={delivery.event_id} webhook={webhook} delivery={delivery} />
            ))}
          </ul>
        )
      ) : pages.error !== null ? (
        <ErrorState error={pages.error} retry={() => void pages.refetch()} />
      ) : (
        <TableSkeleton rows={4} />
      )}
      <MoreButton pages={pages} label="Show older deliveries" />
    </Panel>
  );
}

function DeliveryEntry({ webhook, delivery }: { webhook: ConsoleWebhook; delivery: Delivery }) {
  const { ago, time } = useFormats();
  const { event_id: eventId, type, state, attempts, last_attempt: last, occurred_at: occurredAt } = delivery;
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      request<Replayed>(`webhooks/${webhook.id}/replay`, { method: 'POST', body: { event_id: eventId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <li className={styles.delivery}>
      <details>
        <summary>
          <Chip tone={tones[state]}>{labels[state]}</Chip>
          <span className={styles.type}>{type}</span>
          <span className="muted small">
            {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
            {last !== null && last.status !== null && ` · status ${last.status}`}
          </span>
          <time className="muted small" dateTime={occurredAt} title={time(occurredAt)}>
            {ago(occurredAt)}
          </time>
        </summary>
        <div className={styles.detail}>
          <p>
            {time(occurredAt)} · <span className="mono">{eventId}</span>
          </p>
          {last !== null && <AttemptResult attempt={last} />}
          {webhook.state !== 'disabled' && (
            <Button variant="default" size="compact-sm" loading={isPending} onClick={() => mutate()}>
              Resend<span className="visually-hidden"> {type}</span>
            </Button>
          )}
        </div>
      </details>
    </li>
  );
}

import { Button, Checkbox } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Delivery } from '../../src/console/console-api.ts';
import { Ago } from '../format/ago.tsx';
import { useFormats } from '../format/use-formats.ts';
import { refresh } from '../server/query-client.ts';
import { Chip } from '../ui/chip.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconHistory } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Panel } from '../ui/panel.tsx';
import type { Tone } from '../ui/tone.ts';
import { AttemptResult } from './attempt-result.tsx';
import type { deliveriesQuery } from './queries.ts';
import styles from './webhooks.module.css';

const tones: Record<Delivery['state'], Tone> = { pending: 'warn', delivered: 'good', failed: 'bad' };
const labels: Record<Delivery['state'], string> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
};

interface Props {
  query: (onlyFailed: boolean) => ReturnType<typeof deliveriesQuery>;
  /** Sends an event again; undefined if that is not possible. */
  resend: ((eventId: string) => Promise<unknown>) | undefined;
}

/** The deliveries to a webhook, newest event first. */
export function Deliveries({ query, resend }: Props) {
  const [onlyFailed, setOnlyFailed] = useState(false);
  const list = useInfiniteQuery(query(onlyFailed));
  const filter = (
    <Checkbox
      label="Failed only"
      checked={onlyFailed}
      onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
    />
  );
  return (
    <Panel title="Deliveries" aside={filter} flush>
      <Loaded query={list} skeleton={4}>
        {({ pages }) =>
          pages[0]?.deliveries.length === 0 ? (
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
              {pages.flatMap(({ deliveries }) =>
                deliveries.map((delivery) => (
                  <DeliveryEntry key={delivery.event_id} delivery={delivery} resend={resend} />
                )),
              )}
            </ul>
          )
        }
      </Loaded>
      <MoreButton list={list} label="Show older deliveries" />
    </Panel>
  );
}

function DeliveryEntry({ delivery, resend }: Pick<Props, 'resend'> & { delivery: Delivery }) {
  const { time, count } = useFormats();
  const { event_id: eventId, type, state, attempts, last_attempt: last, occurred_at: occurredAt } = delivery;
  const { mutate, isPending } = useMutation({
    mutationFn: async () => await resend?.(eventId),
    onSettled: () => refresh('webhooks', 'overview'),
  });
  return (
    <li className={styles.delivery}>
      <details>
        <summary>
          <Chip tone={tones[state]}>{labels[state]}</Chip>
          <span className={styles.type}>{type}</span>
          <span className="muted small">
            {count(attempts, 'attempt')}
            {last !== null && last.status !== null && ` · status ${last.status}`}
          </span>
          <Ago at={occurredAt} className="muted small" />
        </summary>
        <div className={styles.detail}>
          <p>
            {time(occurredAt)} · <span className="mono">{eventId}</span>
          </p>
          {last !== null && <AttemptResult attempt={last} />}
          {resend !== undefined && (
            <Button variant="default" size="compact-sm" loading={isPending} onClick={() => mutate()}>
              Resend<span className="visually-hidden"> {type}</span>
            </Button>
          )}
        </div>
      </details>
    </li>
  );
}

import { Link } from '@tanstack/react-router';
import type { ConsoleWebhook } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import { Table } from '../ui/table.tsx';
import { WebhookState } from './webhook-state.tsx';
import styles from './webhooks.module.css';

export function WebhooksTable({ webhooks }: { webhooks: ConsoleWebhook[] }) {
  const { day } = useFormats();
  return (
    <Table
      rows={webhooks}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Webhook',
          kind: 'lead',
          cell: ({ id, url, mode, description }) => (
            <>
              <Link to="/webhooks" search={{ webhook: id }} className={styles.name ?? ''}>
                {url}
              </Link>
              {mode === 'test' && <Chip tone="accent">Test</Chip>}
              <span className="muted small">{description}</span>
            </>
          ),
        },
        { label: 'Status', cell: (webhook) => <WebhookState webhook={webhook} /> },
        { label: 'Events', cell: typesText },
        { label: 'Created', className: 'nowrap', cell: ({ created_at: created }) => day(created) },
      ]}
    />
  );
}

/** Returns the types of events that a webhook receives, in a few words. */
export function typesText({ types }: Pick<ConsoleWebhook, 'types'>): string {
  const [first, second] = types;
  if (first === undefined) return 'All events';
  if (second === undefined) return first;
  return types.length === 2 ? `${first}, ${second}` : `${first} and ${types.length - 1} more`;
}

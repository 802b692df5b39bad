import { Link } from '@tanstack/react-router';
import { Ago } from '../../format/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Table } from '../../ui/table.tsx';
import styles from '../../webhooks/webhooks.module.css';
import { OperatorWebhookState } from './operator-webhook-state.tsx';
import { type AnyWebhook, merchantOf } from './queries.ts';

/** Webhooks of merchants, each with its merchant, or of the marketplace. */
export function WebhookTable({ webhooks }: { webhooks: readonly AnyWebhook[] }) {
  return (
    <Table
      rows={[...webhooks]}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Webhook',
          kind: 'lead',
          cell: (webhook) => {
            const { merchant, test } = merchantOf(webhook);
            return (
              <>
                <Link
                  to="/webhooks"
                  search={{ ...(merchant && { merchant: merchant.external_id }), webhook: webhook.id }}
                  className={styles.name ?? ''}
                >
                  {webhook.url}
                </Link>
                {test && <Chip tone="accent">Test</Chip>}
                {merchant === undefined ? (
                  <span className="muted small">{webhook.description}</span>
                ) : (
                  <Link
                    to="/merchants/$merchant"
                    params={{ merchant: merchant.external_id }}
                    className="small"
                  >
                    {merchant.name}
                  </Link>
                )}
              </>
            );
          },
        },
        { label: 'Status', cell: (webhook) => <OperatorWebhookState webhook={webhook} /> },
        { label: 'Created', className: 'nowrap', cell: ({ created_at: at }) => <Ago at={at} /> },
      ]}
    />
  );
}

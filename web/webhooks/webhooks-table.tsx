import { Link } from '@tanstack/react-router';
import type { ConsoleWebhook } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import { WebhookState } from './webhook-state.tsx';
import styles from './webhooks.module.css';

export function WebhooksTable({ webhooks }: { webhooks: ConsoleWebhook[] }) {
  const { day } = useFormats();
  return (
    <div className="table-frame">
      <table className="table cards">
        <thead>
          <tr>
            <th scope="col">Webhook</th>
            <th scope="col">Status</th>
            <th scope="col">Events</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <td className="lead">
                <Link to="/webhooks" search={{ webhook: webhook.id }} className={styles.name ?? ''}>
                  {webhook.url}
                </Link>
                {webhook.mode === 'test' && <Chip tone="accent">Test</Chip>}
                <span className="muted small">{webhook.description}</span>
              </td>
              <td data-label="Status">
                <WebhookState webhook={webhook} />
              </td>
              <td data-label="Events">{typesText(webhook)}</td>
              <td data-label="Created" className={styles.nowrap}>
                {day(webhook.created_at)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the types of events that a webhook receives, in a few words. */
export function typesText({ types }: Pick<ConsoleWebhook, 'types'>): string {
  const [first, second] = types;
  if (first === undefined) return 'All events';
  if (second === undefined) return first;
  return types.length === 2 ? `${first}, ${second}` : `${first} and ${types.length - 1} more`;
}

import { WebhookState } from '../../webhooks/webhook-state.tsx';
import { type AnyWebhook, merchantOf } from './queries.ts';

const reasonsOfMerchant = {
  owner: 'Disabled by the merchant',
  operator: 'Disabled by an operator',
  failures: 'Every delivery failed for five days',
  gone: 'The receiver responded with 410 Gone',
} as const;
const reasonsOfMarketplace = { ...reasonsOfMerchant, owner: 'Disabled by an operator' };

/** The state of a webhook, with the reason if it does not work, for operators. */
export function OperatorWebhookState({ webhook }: { webhook: AnyWebhook }) {
  const reasons = merchantOf(webhook).merchant === undefined ? reasonsOfMarketplace : reasonsOfMerchant;
  return <WebhookState webhook={{ waits_until: null, ...webhook }} reasons={reasons} />;
}

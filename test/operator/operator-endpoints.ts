import type { OperatorScope } from '../../src/api-keys/scopes.ts';
import type { RequestOptions } from '../support/client.ts';
import type { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

export interface OperatorEndpoint {
  method: string;
  /** As in the OpenAPI document. */
  template: string;
  /** Below `/operator/v1`, of a merchant that does not exist: `nobody`, or a webhook: `none`. */
  path: string;
  scope: OperatorScope;
  sent?: RequestOptions;
}

const MERCHANT = '/merchants/{external_id}';
const ORDER = `${MERCHANT}/orders/{order}`;
const WEBHOOK = '/webhooks/{webhook}';
const OF_MERCHANT = `${MERCHANT}${WEBHOOK}`;
const LIST = { template: '/metadata/{list}', path: '/metadata/brands' } as const;
const ndjson = (record: object): RequestOptions => ({
  body: `${JSON.stringify(record)}\n`,
  headers: { 'content-type': 'application/x-ndjson' },
});

/** Resolves once the service knows who competes for placements. */
export async function untilPlacementsAreGiven(service: TestService, token: string): Promise<void> {
  const json = { requests: [{ key: 'first', currency: 'XXX' }] };
  await until(async () => (await service.operator('POST', '/placements', token, { json })).status !== 503);
}

/** Valid requests are for a merchant with `createEndpointRecords`. */
export const operatorEndpoints: readonly OperatorEndpoint[] = [
  { method: 'GET', template: '/overview', path: '/overview', scope: 'merchants' },
  { method: 'GET', template: '/marketplace', path: '/marketplace', scope: 'system' },
  {
    method: 'PUT',
    template: '/marketplace',
    path: '/marketplace',
    scope: 'system',
    sent: { json: { name: 'Alpine Market' } },
  },
  { method: 'GET', template: '/system', path: '/system', scope: 'system' },
  { method: 'GET', template: '/system/metrics', path: '/system/metrics', scope: 'system' },
  { method: 'POST', template: '/system/backup', path: '/system/backup', scope: 'system' },
  { method: 'GET', template: '/campaigns/figures', path: '/campaigns/figures', scope: 'campaigns' },
  { method: 'GET', template: '/events', path: '/events', scope: 'events' },
  { method: 'GET', template: '/events/newest', path: '/events/newest', scope: 'events' },
  { method: 'GET', template: '/webhooks', path: '/webhooks', scope: 'events' },
  {
    method: 'POST',
    template: '/webhooks',
    path: '/webhooks',
    scope: 'events',
    sent: { json: { url: 'https://market.example/' } },
  },
  { method: 'GET', template: WEBHOOK, path: '/webhooks/none', scope: 'events' },
  {
    method: 'PUT',
    template: WEBHOOK,
    path: '/webhooks/none',
    scope: 'events',
    sent: { json: { description: 'Orders' } },
  },
  { method: 'DELETE', template: WEBHOOK, path: '/webhooks/none', scope: 'events' },
  { method: 'POST', template: `${WEBHOOK}/secret`, path: '/webhooks/none/secret', scope: 'events' },
  { method: 'POST', template: `${WEBHOOK}/test`, path: '/webhooks/none/test', scope: 'events' },
  {
    method: 'POST',
    template: `${WEBHOOK}/replay`,
    path: '/webhooks/none/replay',
    scope: 'events',
    sent: { json: { since: '2026-01-01T00:00:00Z' } },
  },
  {
    method: 'GET',
    template: `${WEBHOOK}/deliveries`,
    path: '/webhooks/none/deliveries',
    scope: 'events',
  },
  { method: 'GET', template: '/merchant-webhooks', path: '/merchant-webhooks', scope: 'events' },
  {
    method: 'GET',
    template: `${MERCHANT}/webhooks`,
    path: '/merchants/nobody/webhooks',
    scope: 'events',
  },
  { method: 'GET', template: OF_MERCHANT, path: '/merchants/nobody/webhooks/none', scope: 'events' },
  {
    method: 'PUT',
    template: OF_MERCHANT,
    path: '/merchants/nobody/webhooks/none',
    scope: 'events',
    sent: { json: { enabled: true } },
  },
  {
    method: 'GET',
    template: `${OF_MERCHANT}/deliveries`,
    path: '/merchants/nobody/webhooks/none/deliveries',
    scope: 'events',
  },
  {
    method: 'POST',
    template: `${OF_MERCHANT}/test`,
    path: '/merchants/nobody/webhooks/none/test',
    scope: 'events',
  },
  {
    method: 'POST',
    template: `${OF_MERCHANT}/replay`,
    path: '/merchants/nobody/webhooks/none/replay',
    scope: 'events',
    sent: { json: { since: '2026-01-01T00:00:00Z' } },
  },
  { method: 'GET', template: '/calls', path: '/calls', scope: 'merchants' },
  {
    method: 'GET',
    template: `${MERCHANT}/calls`,
    path: '/merchants/nobody/calls',
    scope: 'merchants',
  },
  { method: 'GET', template: '/imports', path: '/imports', scope: 'catalog' },
  {
    method: 'POST',
    template: `${MERCHANT}/imports/{import_id}/cancel`,
    path: '/merchants/nobody/imports/none/cancel',
    scope: 'catalog',
  },
  {
    method: 'POST',
    template: `${MERCHANT}/imports/{import_id}/undo`,
    path: '/merchants/nobody/imports/none/undo',
    scope: 'catalog',
  },
  { method: 'PUT', template: MERCHANT, path: '/merchants/nobody', scope: 'merchants', sent: { json: {} } },
  { method: 'GET', template: MERCHANT, path: '/merchants/nobody', scope: 'merchants' },
  { method: 'GET', template: '/merchants', path: '/merchants', scope: 'merchants' },
  {
    method: 'GET',
    template: `${MERCHANT}/keys`,
    path: '/merchants/nobody/keys',
    scope: 'access',
  },
  {
    method: 'GET',
    template: `${MERCHANT}/users`,
    path: '/merchants/nobody/users',
    scope: 'access',
  },
  {
    method: 'POST',
    template: `${MERCHANT}/keys`,
    path: '/merchants/nobody/keys',
    scope: 'access',
    sent: { json: { name: 'ERP' } },
  },
  {
    method: 'DELETE',
    template: `${MERCHANT}/keys/{key}`,
    path: '/merchants/nobody/keys/1-1',
    scope: 'access',
  },
  {
    method: 'POST',
    template: `${MERCHANT}/users`,
    path: '/merchants/nobody/users',
    scope: 'access',
    sent: { json: { email: 'ada@example.com' } },
  },
  {
    method: 'DELETE',
    template: `${MERCHANT}/users/{user}`,
    path: '/merchants/nobody/users/bo@example.com',
    scope: 'access',
  },
  {
    method: 'POST',
    template: `${MERCHANT}/products`,
    path: '/merchants/nobody/products',
    scope: 'catalog',
    sent: ndjson({ identifier: 'STREAMED' }),
  },
  {
    method: 'POST',
    template: `${MERCHANT}/schedules`,
    path: '/merchants/nobody/schedules',
    scope: 'catalog',
    sent: ndjson({ schedule_id: 'S', product_identifier: 'POT-1', scheduled_at: '2026-01-01', sold: false }),
  },
  {
    method: 'POST',
    template: `${MERCHANT}/placements`,
    path: '/merchants/nobody/placements',
    scope: 'campaigns',
    sent: ndjson({
      placement_id: 'P-1',
      campaign_id: 'C-1',
      product_identifier: 'POT-1',
      delivered_at: '2026-01-01T00:00:00Z',
      price: 0.25,
    }),
  },
  {
    method: 'POST',
    template: '/placements',
    path: '/placements',
    scope: 'campaigns',
    sent: { json: { requests: [{ key: 'none', currency: 'XXX' }] } },
  },
  {
    method: 'POST',
    template: '/placements/outcomes',
    path: '/placements/outcomes',
    scope: 'campaigns',
    sent: { json: [{ placement_id: 'none', outcome: 'released' }] },
  },
  {
    method: 'GET',
    template: `${MERCHANT}/placements`,
    path: '/merchants/nobody/placements?changed_since=start',
    scope: 'campaigns',
  },
  {
    method: 'GET',
    template: `${MERCHANT}/products`,
    path: '/merchants/nobody/products?changed_since=start',
    scope: 'catalog',
  },
  {
    method: 'GET',
    template: `${MERCHANT}/schedules`,
    path: '/merchants/nobody/schedules?changed_since=start',
    scope: 'catalog',
  },
  {
    method: 'GET',
    template: `${MERCHANT}/campaigns`,
    path: '/merchants/nobody/campaigns?changed_since=start',
    scope: 'campaigns',
  },
  { method: 'GET', template: '/products', path: '/products?query=vase', scope: 'catalog' },
  {
    method: 'GET',
    template: `${MERCHANT}/products/{identifier}`,
    path: '/merchants/nobody/products/POT-1',
    scope: 'catalog',
  },
  { method: 'GET', template: '/campaigns', path: '/campaigns', scope: 'campaigns' },
  {
    method: 'PUT',
    template: `${MERCHANT}/campaigns/{campaign}/state`,
    path: '/merchants/nobody/campaigns/C-1/state',
    scope: 'campaigns',
    sent: { json: { state: 'Paused' } },
  },
  {
    method: 'PUT',
    template: `${MERCHANT}/products/{identifier}/moderation`,
    path: '/merchants/nobody/products/POT-1/moderation',
    scope: 'catalog',
    sent: { json: { state: 'banned', reasons: [{ code: 'x', message: 'No.' }] } },
  },
  { method: 'GET', template: '/moderation', path: '/moderation?limit=2', scope: 'catalog' },
  {
    method: 'POST',
    template: '/moderation',
    path: '/moderation',
    scope: 'catalog',
    sent: { json: [{ merchant: 'none', identifier: 'POT-1', state: 'ok' }] },
  },
  {
    method: 'POST',
    template: `${MERCHANT}/orders`,
    path: '/merchants/nobody/orders',
    scope: 'orders',
    sent: ndjson({ external_id: 'STREAMED', product_identifier: 'POT-1' }),
  },
  {
    method: 'GET',
    template: `${MERCHANT}/orders`,
    path: '/merchants/nobody/orders?changed_since=start',
    scope: 'orders',
  },
  {
    method: 'PUT',
    template: ORDER,
    path: '/merchants/nobody/orders/O-101',
    scope: 'orders',
    sent: { json: { customer_name: 'B. Customer' } },
  },
  { method: 'GET', template: ORDER, path: '/merchants/nobody/orders/O-101', scope: 'orders' },
  { method: 'GET', template: '/orders', path: '/orders', scope: 'orders' },
  {
    method: 'POST',
    template: `${ORDER}/reveal`,
    path: '/merchants/nobody/orders/O-101/reveal',
    scope: 'orders',
  },
  {
    method: 'PUT',
    template: `${ORDER}/state`,
    path: '/merchants/nobody/orders/O-102/state',
    scope: 'orders',
    sent: { json: { state: 'held', reason: 'address check' } },
  },
  {
    method: 'PUT',
    template: `${ORDER}/packages/{package}`,
    path: '/merchants/nobody/orders/O-106/packages/ups:1',
    scope: 'orders',
    sent: { json: { state: 'delivered' } },
  },
  {
    method: 'PUT',
    template: `${ORDER}/refunds/{refund}`,
    path: '/merchants/nobody/orders/O-107/refunds/refund-1',
    scope: 'orders',
    sent: { json: { state: 'settled' } },
  },
  {
    method: 'POST',
    template: `${ORDER}/redact`,
    path: '/merchants/nobody/orders/O-103/redact',
    scope: 'orders',
  },
  { method: 'GET', template: '/metadata', path: '/metadata', scope: 'catalog' },
  { method: 'GET', ...LIST, scope: 'catalog' },
  { method: 'PUT', ...LIST, scope: 'lists', sent: { json: { entries: { Ceramics: ['Northwind'] } } } },
  { method: 'DELETE', ...LIST, scope: 'lists' },
];

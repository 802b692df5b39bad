import type { OperatorScope } from '../../src/api-keys/scopes.ts';

interface OperatorEndpoint {
  method: string;
  /** Below `/operator/v1`, of a merchant that does not exist. */
  path: string;
  scope: OperatorScope;
}

/** The endpoints of the operator API. */
export const operatorEndpoints: readonly OperatorEndpoint[] = [
  { method: 'PUT', path: '/merchants/nobody', scope: 'merchants' },
  { method: 'GET', path: '/merchants/nobody', scope: 'merchants' },
  { method: 'GET', path: '/merchants', scope: 'merchants' },
  { method: 'GET', path: '/events', scope: 'events' },
  { method: 'GET', path: '/webhooks', scope: 'events' },
  { method: 'POST', path: '/webhooks', scope: 'events' },
  { method: 'GET', path: '/webhooks/none', scope: 'events' },
  { method: 'PUT', path: '/webhooks/none', scope: 'events' },
  { method: 'DELETE', path: '/webhooks/none', scope: 'events' },
  { method: 'POST', path: '/webhooks/none/secret', scope: 'events' },
  { method: 'POST', path: '/webhooks/none/test', scope: 'events' },
  { method: 'POST', path: '/webhooks/none/replay', scope: 'events' },
  { method: 'GET', path: '/webhooks/none/deliveries', scope: 'events' },
  { method: 'POST', path: '/merchants/nobody/keys', scope: 'merchants' },
  { method: 'DELETE', path: '/merchants/nobody/keys/1-1', scope: 'merchants' },
  { method: 'POST', path: '/merchants/nobody/users', scope: 'merchants' },
  { method: 'DELETE', path: '/merchants/nobody/users/a@b.example', scope: 'merchants' },
  { method: 'GET', path: '/merchants/nobody/products?changed_since=start', scope: 'catalog' },
  { method: 'GET', path: '/merchants/nobody/schedules?changed_since=start', scope: 'catalog' },
  { method: 'GET', path: '/merchants/nobody/campaigns?changed_since=start', scope: 'campaigns' },
  { method: 'PUT', path: '/merchants/nobody/campaigns/1/state', scope: 'campaigns' },
  { method: 'PUT', path: '/merchants/nobody/products/P/moderation', scope: 'catalog' },
];

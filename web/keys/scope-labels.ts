import type { Scope } from '../../src/api-keys/scopes.ts';

/** What each scope of a key allows, for merchants. */
export const scopeLabels: Record<Scope, string> = {
  read: 'Read products, campaigns, and sales',
  write: 'Change products and stock, and import files',
  stock: 'Change stock, and nothing else about products',
  campaigns: 'Create and change campaigns',
  orders: 'Read orders, without names and addresses',
  fulfillment: 'Ship, refund, and cancel orders',
  customers: 'See names and addresses of customers',
  webhooks: 'Create, change, and delete webhooks',
};

import { randomUUID } from 'node:crypto';
import { type CampaignRow, NO_SPEND } from '../../src/campaigns/campaign.ts';
import { insertCampaign } from '../../src/campaigns/queries.ts';
import { merchantLists } from '../../src/metadata/lists.ts';
import { type Catalog, draft, importDrafts } from './catalog.ts';
import { orderDraft, pushDrafts } from './orders.ts';
import type { TestService } from './service.ts';

/** Endpoints that read or create campaigns, each with valid parameters and the scope that it requires. */
export const endpoints = [
  { method: 'GET', path: '/products.json', query: {}, scope: 'read' },
  {
    method: 'POST',
    path: '/campaigns.json',
    query: { name: 'Summer', type: 'AuctionCampaign' },
    scope: 'campaigns',
  },
  { method: 'GET', path: '/performance/sales.json', query: {}, scope: 'read' },
  { method: 'GET', path: '/variations/retrieve.json', query: { identifier: 'POT-1-S' }, scope: 'read' },
  { method: 'GET', path: '/account.json', query: {}, scope: null },
  { method: 'GET', path: '/products/schema.json', query: {}, scope: 'read' },
  { method: 'GET', path: '/products/issues.json', query: { identifier: 'POT-1' }, scope: 'read' },
  { method: 'GET', path: '/products/history.json', query: { identifier: 'POT-1' }, scope: 'read' },
  { method: 'GET', path: '/variations/schema.json', query: {}, scope: 'read' },
  {
    method: 'GET',
    path: '/performance/auctions.json',
    query: { duration: 'last_30_days' },
    scope: 'read',
  },
  { method: 'GET', path: '/campaigns.json', query: { status: 'Active' }, scope: 'read' },
  { method: 'GET', path: '/campaigns/retrieve.json', query: { internal_id: 'C-1' }, scope: 'read' },
  { method: 'GET', path: '/campaigns/diagnosis.json', query: { internal_id: 'C-1' }, scope: 'read' },
  { method: 'GET', path: '/campaigns/history.json', query: { internal_id: 'C-1' }, scope: 'read' },
  { method: 'GET', path: '/imports.json', query: {}, scope: 'read' },
  { method: 'GET', path: '/orders.json', query: {}, scope: 'orders' },
  { method: 'GET', path: '/orders/retrieve.json', query: { order_id: '101' }, scope: 'orders' },
  { method: 'GET', path: '/orders/history.json', query: { order_id: '101' }, scope: 'orders' },
  { method: 'GET', path: '/orders/schema.json', query: {}, scope: 'orders' },
] as const;

/** Other endpoints that write, each with valid parameters. */
export const writes = [
  {
    method: 'POST',
    path: '/products.json',
    get query() {
      return { identifier: randomUUID(), title: 'A new pot' };
    },
    scope: 'write',
  },
  {
    method: 'POST',
    path: '/products/update.json',
    query: { identifier: 'POT-1', retail_price: '12.5' },
    scope: 'stock',
  },
  { method: 'POST', path: '/products/enable.json', query: { identifier: 'POT-1' }, scope: 'write' },
  {
    method: 'POST',
    path: '/products/enable_catalog_only.json',
    query: { identifier: 'POT-1' },
    scope: 'write',
  },
  { method: 'POST', path: '/products/disable.json', query: { identifier: 'POT-2' }, scope: 'write' },
  { method: 'POST', path: '/products/delete.json', query: { identifier: 'POT-3' }, scope: 'write' },
  {
    method: 'POST',
    path: '/variations.json',
    get query() {
      return { product_identifier: 'POT-1', identifier: randomUUID() };
    },
    scope: 'write',
  },
  {
    method: 'POST',
    path: '/variations/update.json',
    query: { identifier: 'POT-1-S', quantity: '3' },
    scope: 'stock',
  },
  { method: 'POST', path: '/variations/enable.json', query: { identifier: 'POT-1-S' }, scope: 'write' },
  { method: 'POST', path: '/variations/disable.json', query: { identifier: 'POT-1-M' }, scope: 'write' },
  { method: 'POST', path: '/variations/delete.json', query: { identifier: 'POT-1-L' }, scope: 'write' },
  {
    method: 'POST',
    path: '/campaigns/update.json',
    query: { internal_id: 'C-1', bid_amount: '0.5' },
    scope: 'campaigns',
  },
  { method: 'POST', path: '/campaigns/pause.json', query: { internal_id: 'C-1' }, scope: 'campaigns' },
  { method: 'POST', path: '/campaigns/resume.json', query: { internal_id: 'C-1' }, scope: 'campaigns' },
  { method: 'POST', path: '/campaigns/end.json', query: { internal_id: 'C-2' }, scope: 'campaigns' },
] as const;

/** The path of a call in the OpenAPI document, if it differs. */
interface Templated {
  template?: string;
}

const shipment = { carrier: 'UPS', tracking_number: '1Z999AA10123456784' };

/** Endpoints that change orders. Each request can be repeated. */
export const orderWrites = [
  {
    method: 'POST',
    path: '/orders/acknowledge.json',
    query: { order_id: '101', merchant_order_id: 'SO-1' },
    scope: 'fulfillment',
  },
  {
    method: 'POST',
    path: '/orders/annotate.json',
    query: { order_id: '101', annotation: 'Gift wrap' },
    scope: 'fulfillment',
  },
  {
    method: 'POST',
    path: '/orders/fulfill.json',
    query: { order_id: '102', ...shipment },
    scope: 'fulfillment',
  },
  {
    method: 'POST',
    path: '/orders/103/fulfill.json',
    template: '/orders/{order_id}/fulfill.json',
    query: shipment,
    scope: 'fulfillment',
  },
  {
    method: 'POST',
    path: '/orders/refund.json',
    query: { order_id: '104', type: 'full', reason: 'other' },
    scope: 'fulfillment',
  },
  {
    method: 'POST',
    path: '/orders/cancel.json',
    query: { order_id: '105', reason: 'out_of_stock' },
    scope: 'fulfillment',
  },
] as const;

/** The path of an endpoint in the OpenAPI document. */
export function documentedPath({ path, template = path }: { path: string } & Templated): string {
  return template;
}

/** These take one of several parameters, so a parameter's schema does not say what they accept. */
const selecting = [
  { method: 'GET', path: '/products/retrieve.json', query: { identifier: 'POT-1' }, scope: 'read' },
  { method: 'GET', path: '/products/search.json', query: { query: 'pot' }, scope: 'read' },
  { method: 'GET', path: '/schedules.json', query: { changed_since: 'start' }, scope: 'read' },
  { method: 'GET', path: '/placements.json', query: { changed_since: 'start' }, scope: 'read' },
  { method: 'GET', path: '/campaigns/performance.json', query: { internal_id: 'C-1' }, scope: 'read' },
  {
    method: 'GET',
    path: '/explain.json',
    query: { figure: 'campaigns.spend', internal_id: 'C-1' },
    scope: 'read',
  },
] as const;

const metadata = ['', ...[...merchantLists, 'campaign_types'].map((name) => `/${name}`)].map(
  (list) => ({ method: 'GET', path: `/metadata${list}.json`, query: {}, scope: null }) as const,
);

/** Its post data is lines. Without any, it changes nothing. */
export const writeProducts = {
  method: 'POST',
  path: '/products/batch.json',
  query: {},
  scope: 'stock',
} as const;

/** Like `writeProducts`, of orders. */
export const changeOrders = {
  method: 'POST',
  path: '/orders/batch.json',
  query: {},
  scope: 'fulfillment',
} as const;

/** Whether the post data of a call is lines. */
export function takesLines({ path }: { path: string }): boolean {
  return path === writeProducts.path || path === changeOrders.path;
}

export const resetTestSide = {
  method: 'POST',
  path: '/test/reset.json',
  query: { samples: 'false' },
  scope: 'write',
} as const;

export const triggerTestEvent = {
  method: 'POST',
  path: '/test/trigger.json',
  query: { event: 'order.created' },
  scope: 'write',
} as const;

/** Only test keys may make them. */
export const testSideCalls = [resetTestSide, triggerTestEvent] as const;

export function isForTestKeys({ path }: { path: string }): boolean {
  return testSideCalls.some((call) => call.path === path);
}

const unknownImport = { id: '01a1fe4d-7ee8-7b5f-8ec9-1415d7de7fe4' };

/** Without a file, its parameters are invalid. */
export const importFile = { method: 'POST', path: '/imports.json', query: {}, scope: 'write' } as const;

/** No import has this id. */
export const importEndpoints = [
  { method: 'GET', path: '/imports/retrieve.json', query: unknownImport, scope: 'read' },
  { method: 'GET', path: '/imports/rejects.json', query: unknownImport, scope: 'read' },
  { method: 'POST', path: '/imports/cancel.json', query: unknownImport, scope: 'write' },
  { method: 'POST', path: '/imports/undo.json', query: { import_id: unknownImport.id }, scope: 'write' },
] as const;

const url = 'https://erp.example/tradepost';
const unknownWebhook = '/webhooks/we_5b0e8d8f3a1c42d7e9';
const template = '/webhooks/{webhook}';

/** Their responses change when others write. */
export const eventLists = [
  { method: 'GET', path: '/events.json', query: {}, scope: 'read' },
  { method: 'GET', path: '/webhooks.json', query: {}, scope: 'webhooks' },
] as const;

/** The first one creates a webhook. No webhook has the ID of the others. */
export const webhookEndpoints = [
  { method: 'POST', path: '/webhooks.json', query: { url, types: 'stock.low' }, scope: 'webhooks' },
  ...(
    [
      ['GET', '', {}],
      ['PUT', '', { enabled: 'false' }],
      ['DELETE', '', {}],
      ['POST', '/secret', {}],
      ['POST', '/test', {}],
      ['POST', '/replay', { since: '2026-03-02T00:00:00Z' }],
      ['GET', '/deliveries', {}],
    ] as const
  ).map(
    ([method, verb, query]) =>
      ({
        method,
        path: `${unknownWebhook}${verb}.json`,
        template: `${template}${verb}.json`,
        query,
        scope: 'webhooks',
      }) as const,
  ),
] as const;

/** Cannot be repeated. No order has this id. */
export const unfulfillOrder = {
  method: 'POST',
  path: '/orders/unfulfill.json',
  query: { order_id: '4000', package_id: 'ups:1Z999AA10123456784' },
  scope: 'fulfillment',
} as const;

/** All endpoints that succeed with these parameters. */
export const allEndpoints = [
  ...endpoints,
  ...selecting,
  ...metadata,
  ...writes,
  writeProducts,
  ...orderWrites,
  changeOrders,
] as const;

export const everyEndpoint = [
  ...allEndpoints,
  ...importEndpoints,
  importFile,
  unfulfillOrder,
  ...eventLists,
  ...webhookEndpoints,
] as const;

export const endpointProducts = [
  draft('POT-1', { title: 'Pot', retail_price: 12.5 }, [
    { identifier: 'POT-1-S' },
    { identifier: 'POT-1-M' },
    { identifier: 'POT-1-L' },
  ]),
  draft('POT-2'),
  draft('POT-3'),
];

/** Creates what the endpoints' parameters name. */
export async function createEndpointRecords(service: TestService, merchant: { id: number }): Promise<void> {
  await importDrafts(service, merchant, [endpointProducts]);
  await createEndpointCampaigns(service, merchant);
  await createEndpointOrders(service, merchant);
}

/** The products have to exist. */
export async function createEndpointOrders(service: TestService, merchant: { id: number }): Promise<void> {
  const orders = [101, 102, 103, 104, 105].map((order_id) =>
    orderDraft(`O-${order_id}`, { order_id, product_identifier: 'POT-1', customer_name: 'A. Customer' }),
  );
  const product = { product_identifier: 'POT-1' };
  const shipped = { ...product, status: 'shipped', carrier: 'ups', tracking_number: '1' } as const;
  await pushDrafts(service, merchant, [
    ...orders,
    orderDraft('O-106', shipped),
    orderDraft('O-107', { ...product, status: 'refunded' }),
  ]);
}

export async function createEndpointCampaigns(catalog: Catalog, merchant: { id: number }): Promise<void> {
  const campaigns = ['C-1', 'C-2'].map((id): CampaignRow & { merchant_id: number } => ({
    merchant_id: merchant.id,
    id,
    name: `No. ${id}`,
    type: 'AuctionCampaign',
    daily_budget: 12.5,
    bid_amount: null,
    status: 'Active',
    daily_budget_per_product: null,
    lifetime_budget: null,
    lifetime_budget_per_product: null,
    created_at: catalog.now(),
    updated_at: null,
    hourly_schedule: null,
    ...NO_SPEND,
  }));
  await catalog.database.transaction((connection) => connection.runEach(insertCampaign, campaigns));
}

export const readingEndpoints = endpoints.filter(({ method }) => method === 'GET');

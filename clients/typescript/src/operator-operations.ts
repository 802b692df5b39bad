import type { components, operations, paths } from './operator-openapi.ts';

type Schemas = components['schemas'];

export type Merchant = Schemas['Merchant'];
export type ListedMerchant = Schemas['ListedMerchant'];
export type MerchantActivity = Schemas['MerchantActivity'];
export type MerchantPage = Schemas['MerchantPage'];
export type MerchantKey = Schemas['MerchantKey'];
export type ListedMerchantKey = Schemas['ListedMerchantKey'];
export type MerchantKeyPage = Schemas['MerchantKeyPage'];
export type MerchantUser = Schemas['MerchantUser'];
export type MerchantUserList = Schemas['MerchantUserList'];
export type Overview = Schemas['Overview'];
export type CreatedMerchantKey = Schemas['CreatedMerchantKey'];
export type OperatorOrder = Schemas['Order'];
export type Invitation = Schemas['Invitation'];
export type MetadataList = Schemas['MetadataList'];
export type MetadataLists = Schemas['MetadataLists'];
export type StreamSummary = Schemas['StreamSummary'];
export type System = Schemas['System'];
export type SystemMetrics = Schemas['SystemMetrics'];
export type BackupFile = Schemas['BackupFile'];
export type MarketplaceSettings = Schemas['MarketplaceSettings'];

export type Webhook = Schemas['Webhook'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type CreatedWebhook = Schemas['CreatedWebhook'];

/** An `operationId` of the operator’s OpenAPI document. Webhooks are requests to others. */
export type OperatorOperation = Exclude<keyof operations, `receive${string}`>;

type Methods = { get: 'GET'; post: 'POST'; put: 'PUT'; delete: 'DELETE' };

type EndpointOf<Name extends OperatorOperation> = {
  [Path in keyof paths]: {
    [Method in keyof Methods]: paths[Path] extends { [Key in Method]: operations[Name] }
      ? { method: Methods[Method]; path: Path }
      : never;
  }[keyof Methods];
}[keyof paths];

type Query<Name extends OperatorOperation> = NonNullable<operations[Name]['parameters']['query']>;
type PostData<Name extends OperatorOperation> = NonNullable<operations[Name]['requestBody']>;

/** The parameters except in the path: the post data, or the query if there is none. */
export type OperatorParametersOf<Name extends OperatorOperation> = [PostData<Name>] extends [never]
  ? Query<Name>
  : PostData<Name> extends { content: { 'application/json': infer Parameters } }
    ? Parameters
    : Record<string, never>;

type Successes<Responses> = Responses extends { 200: infer Ok } ? Ok : never;
type Creations<Responses> = Responses extends { 201: infer Created } ? Created : never;
type BodyOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

export type OperatorResponseOf<Name extends OperatorOperation> = BodyOf<
  Successes<operations[Name]['responses']> | Creations<operations[Name]['responses']>
>;

/** Compiles only if no operation is missing and all methods and paths are correct. */
export const operatorEndpoints: { readonly [Name in OperatorOperation]: EndpointOf<Name> } = {
  retrieveOverview: { method: 'GET', path: '/overview' },
  retrieveSystem: { method: 'GET', path: '/system' },
  retrieveSystemMetrics: { method: 'GET', path: '/system/metrics' },
  backUp: { method: 'POST', path: '/system/backup' },
  retrieveMarketplace: { method: 'GET', path: '/marketplace' },
  putMarketplace: { method: 'PUT', path: '/marketplace' },
  putMerchant: { method: 'PUT', path: '/merchants/{external_id}' },
  retrieveMerchant: { method: 'GET', path: '/merchants/{external_id}' },
  listMerchants: { method: 'GET', path: '/merchants' },
  listMerchantKeys: { method: 'GET', path: '/merchants/{external_id}/keys' },
  createMerchantKey: { method: 'POST', path: '/merchants/{external_id}/keys' },
  revokeMerchantKey: { method: 'DELETE', path: '/merchants/{external_id}/keys/{key}' },
  listMerchantUsers: { method: 'GET', path: '/merchants/{external_id}/users' },
  inviteUser: { method: 'POST', path: '/merchants/{external_id}/users' },
  removeUser: { method: 'DELETE', path: '/merchants/{external_id}/users/{user}' },
  streamProducts: { method: 'POST', path: '/merchants/{external_id}/products' },
  streamSchedules: { method: 'POST', path: '/merchants/{external_id}/schedules' },
  streamOrders: { method: 'POST', path: '/merchants/{external_id}/orders' },
  putOrder: { method: 'PUT', path: '/merchants/{external_id}/orders/{order}' },
  retrieveOrder: { method: 'GET', path: '/merchants/{external_id}/orders/{order}' },
  setOrderState: { method: 'PUT', path: '/merchants/{external_id}/orders/{order}/state' },
  setPackageState: { method: 'PUT', path: '/merchants/{external_id}/orders/{order}/packages/{package}' },
  settleRefund: { method: 'PUT', path: '/merchants/{external_id}/orders/{order}/refunds/{refund}' },
  redactOrder: { method: 'POST', path: '/merchants/{external_id}/orders/{order}/redact' },
  revealCustomer: { method: 'POST', path: '/merchants/{external_id}/orders/{order}/reveal' },
  listOrders: { method: 'GET', path: '/orders' },
  listOrderChanges: { method: 'GET', path: '/merchants/{external_id}/orders' },
  listProductChanges: { method: 'GET', path: '/merchants/{external_id}/products' },
  listScheduleChanges: { method: 'GET', path: '/merchants/{external_id}/schedules' },
  streamPlacements: { method: 'POST', path: '/merchants/{external_id}/placements' },
  requestPlacements: { method: 'POST', path: '/placements' },
  reportPlacementOutcomes: { method: 'POST', path: '/placements/outcomes' },
  listPlacementChanges: { method: 'GET', path: '/merchants/{external_id}/placements' },
  listCampaignChanges: { method: 'GET', path: '/merchants/{external_id}/campaigns' },
  listProducts: { method: 'GET', path: '/products' },
  retrieveProduct: { method: 'GET', path: '/merchants/{external_id}/products/{identifier}' },
  listCampaigns: { method: 'GET', path: '/campaigns' },
  retrieveCampaignFigures: { method: 'GET', path: '/campaigns/figures' },
  setCampaignState: { method: 'PUT', path: '/merchants/{external_id}/campaigns/{campaign}/state' },
  moderateProduct: { method: 'PUT', path: '/merchants/{external_id}/products/{identifier}/moderation' },
  listMetadataLists: { method: 'GET', path: '/metadata' },
  listModerationQueue: { method: 'GET', path: '/moderation' },
  moderateProducts: { method: 'POST', path: '/moderation' },
  retrieveMetadataList: { method: 'GET', path: '/metadata/{list}' },
  setMetadataList: { method: 'PUT', path: '/metadata/{list}' },
  resetMetadataList: { method: 'DELETE', path: '/metadata/{list}' },
  listEvents: { method: 'GET', path: '/events' },
  createWebhook: { method: 'POST', path: '/webhooks' },
  listWebhooks: { method: 'GET', path: '/webhooks' },
  retrieveWebhook: { method: 'GET', path: '/webhooks/{webhook}' },
  changeWebhook: { method: 'PUT', path: '/webhooks/{webhook}' },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{webhook}' },
  rotateWebhookSecret: { method: 'POST', path: '/webhooks/{webhook}/secret' },
  testWebhook: { method: 'POST', path: '/webhooks/{webhook}/test' },
  replayWebhook: { method: 'POST', path: '/webhooks/{webhook}/replay' },
  listWebhookDeliveries: { method: 'GET', path: '/webhooks/{webhook}/deliveries' },
  listNewestEvents: { method: 'GET', path: '/events/newest' },
  listWebhooksOfAllMerchants: { method: 'GET', path: '/merchant-webhooks' },
  listMerchantWebhooks: { method: 'GET', path: '/merchants/{external_id}/webhooks' },
  retrieveMerchantWebhook: { method: 'GET', path: '/merchants/{external_id}/webhooks/{webhook}' },
  changeMerchantWebhook: { method: 'PUT', path: '/merchants/{external_id}/webhooks/{webhook}' },
  testMerchantWebhook: { method: 'POST', path: '/merchants/{external_id}/webhooks/{webhook}/test' },
  replayMerchantWebhook: { method: 'POST', path: '/merchants/{external_id}/webhooks/{webhook}/replay' },
  listMerchantWebhookDeliveries: {
    method: 'GET',
    path: '/merchants/{external_id}/webhooks/{webhook}/deliveries',
  },
  listFailedCalls: { method: 'GET', path: '/calls' },
  listMerchantFailedCalls: { method: 'GET', path: '/merchants/{external_id}/calls' },
  listImports: { method: 'GET', path: '/imports' },
  cancelImport: { method: 'POST', path: '/merchants/{external_id}/imports/{import_id}/cancel' },
  undoImport: { method: 'POST', path: '/merchants/{external_id}/imports/{import_id}/undo' },
};

import type { components, operations, paths, webhooks } from './openapi.ts';

type Schemas = components['schemas'];

export type Product = Schemas['Product'];
export type ProductLine = Schemas['ProductLine'];
export type ProductChanges = Schemas['ProductChanges'];
export type Variation = Schemas['Variation'];
export type PaginationSummary = Schemas['PaginationSummary'];
export type Account = Schemas['Account'];
export type BatchResult = Schemas['BatchResult'];
export type Order = Schemas['Order'];
export type OrderHistory = Schemas['OrderHistory'];
export type OrderLine = Schemas['OrderLine'];
export type OrderBatchResult = Schemas['OrderBatchResult'];
export type OrderChanges = Schemas['OrderChanges'];
export type OrderPaginationSummary = Schemas['OrderPaginationSummary'];
export type Campaign = Schemas['Campaign'];
export type CampaignPaginationSummary = Schemas['CampaignPaginationSummary'];
export type CampaignChanges = Schemas['CampaignChanges'];
export type CampaignHistory = Schemas['CampaignHistory'];
export type CampaignPerformance = Schemas['CampaignPerformance'];
export type Placement = Schemas['Placement'];
export type PlacementList = Schemas['PlacementList'];
export type ProductHistory = Schemas['ProductHistory'];
export type ProductIssues = Schemas['ProductIssues'];
export type FieldDescription = Schemas['FieldDescription'];
export type Import = Schemas['Import'];
export type ImportPage = Schemas['ImportPage'];
export type Metadata = Schemas['Metadata'];
export type MonthlySales = Schemas['MonthlySales'];
export type ProductSales = Schemas['ProductSales'];
export type RejectedRow = Schemas['RejectedRow'];
export type RejectedRowPage = Schemas['RejectedRowPage'];
export type RetrievedVariation = Schemas['RetrievedVariation'];
export type Schedule = Schemas['Schedule'];
export type ScheduleList = Schemas['ScheduleList'];
export type TestSide = Schemas['TestSide'];
export type EventPage = Schemas['EventPage'];
export type MerchantWebhook = Schemas['Webhook'];
export type CreatedMerchantWebhook = Schemas['CreatedWebhook'];
export type MerchantWebhookDelivery = Schemas['WebhookDelivery'];
export type TestTrigger = Schemas['TestTrigger'];

export type EventType = keyof webhooks;
export type EventOf<Type extends EventType> = NonNullable<
  webhooks[Type]['post']['requestBody']
>['content']['application/json'];
/** Its `type` tells an event from others. */
export type TradepostEvent = { [Type in EventType]: EventOf<Type> }[EventType];

/** An `operationId` of the OpenAPI document. Webhooks are requests to others. */
export type Operation = Exclude<keyof operations, `receive${string}`>;

type Methods = { get: 'GET'; post: 'POST'; put: 'PUT'; delete: 'DELETE' };

type EndpointOf<Name extends Operation> = {
  [Path in keyof paths]: {
    [Method in keyof Methods]: paths[Path] extends { [Key in Method]: operations[Name] }
      ? { method: Methods[Method]; path: Path }
      : never;
  }[keyof Methods];
}[keyof paths];

type Query<Name extends Operation> = NonNullable<operations[Name]['parameters']['query']>;
type PostData<Name extends Operation> = NonNullable<operations[Name]['requestBody']>;
type InPath<Name extends Operation> = NonNullable<operations[Name]['parameters']['path']>;

/** The parameters without the token: of the path, and the post data, or the query if there is none. Or the lines. */
export type ParametersOf<Name extends Operation> = [InPath<Name>] extends [never]
  ? SentParametersOf<Name, Record<string, never>>
  : InPath<Name> & SentParametersOf<Name, unknown>;

type SentParametersOf<Name extends Operation, None> = [PostData<Name>] extends [never]
  ? [Query<Name>] extends [never]
    ? None
    : Query<Name>
  : PostData<Name> extends { content: { 'application/x-www-form-urlencoded': infer Parameters } }
    ? Omit<Parameters, 'access_token'>
    : PostData<Name> extends { content: { 'application/json': infer Lines extends object } }
      ? Lines
      : Query<Name>;

export type ResponseOf<Name extends Operation> = operations[Name]['responses'] extends
  | { 200: { content: { 'application/json': infer Body } } }
  | { 201: { content: { 'application/json': infer Body } } }
  | { 202: { content: { 'application/json': infer Body } } }
  ? Body
  : never;

/** Compiles only if no operation is missing and all methods and paths are correct. */
export const endpoints: { readonly [Name in Operation]: EndpointOf<Name> } = {
  listProducts: { method: 'GET', path: '/products.json' },
  createCampaign: { method: 'POST', path: '/campaigns.json' },
  listCampaigns: { method: 'GET', path: '/campaigns.json' },
  retrieveCampaign: { method: 'GET', path: '/campaigns/retrieve.json' },
  listCampaignHistory: { method: 'GET', path: '/campaigns/history.json' },
  updateCampaign: { method: 'POST', path: '/campaigns/update.json' },
  pauseCampaign: { method: 'POST', path: '/campaigns/pause.json' },
  resumeCampaign: { method: 'POST', path: '/campaigns/resume.json' },
  endCampaign: { method: 'POST', path: '/campaigns/end.json' },
  readCampaignPerformance: { method: 'GET', path: '/campaigns/performance.json' },
  diagnoseCampaign: { method: 'GET', path: '/campaigns/diagnosis.json' },
  listPlacements: { method: 'GET', path: '/placements.json' },
  listMonthlySales: { method: 'GET', path: '/performance/sales.json' },
  listProductSales: { method: 'GET', path: '/performance/auctions.json' },
  listSchedules: { method: 'GET', path: '/schedules.json' },
  explainFigure: { method: 'GET', path: '/explain.json' },
  describeOrders: { method: 'GET', path: '/orders/schema.json' },
  listOrders: { method: 'GET', path: '/orders.json' },
  retrieveOrder: { method: 'GET', path: '/orders/retrieve.json' },
  listOrderHistory: { method: 'GET', path: '/orders/history.json' },
  acknowledgeOrder: { method: 'POST', path: '/orders/acknowledge.json' },
  annotateOrder: { method: 'POST', path: '/orders/annotate.json' },
  fulfillOrder: { method: 'POST', path: '/orders/fulfill.json' },
  fulfillOrderInPath: { method: 'POST', path: '/orders/{order_id}/fulfill.json' },
  unfulfillOrder: { method: 'POST', path: '/orders/unfulfill.json' },
  refundOrder: { method: 'POST', path: '/orders/refund.json' },
  cancelOrder: { method: 'POST', path: '/orders/cancel.json' },
  changeOrders: { method: 'POST', path: '/orders/batch.json' },
  retrieveAccount: { method: 'GET', path: '/account.json' },
  retrieveMetadata: { method: 'GET', path: '/metadata.json' },
  listCategories: { method: 'GET', path: '/metadata/categories.json' },
  listConditions: { method: 'GET', path: '/metadata/conditions.json' },
  listBrands: { method: 'GET', path: '/metadata/brands.json' },
  listMaterials: { method: 'GET', path: '/metadata/materials.json' },
  listSizes: { method: 'GET', path: '/metadata/sizes.json' },
  listColors: { method: 'GET', path: '/metadata/colors.json' },
  listCountries: { method: 'GET', path: '/metadata/countries.json' },
  listCountryCodes: { method: 'GET', path: '/metadata/country_codes.json' },
  listStates: { method: 'GET', path: '/metadata/states.json' },
  listProvinces: { method: 'GET', path: '/metadata/provinces.json' },
  listTerritories: { method: 'GET', path: '/metadata/territories.json' },
  listCarriers: { method: 'GET', path: '/metadata/carriers.json' },
  listGemstones: { method: 'GET', path: '/metadata/gemstones.json' },
  listRefundReasons: { method: 'GET', path: '/metadata/refund_reasons.json' },
  listCampaignTypes: { method: 'GET', path: '/metadata/campaign_types.json' },
  retrieveProduct: { method: 'GET', path: '/products/retrieve.json' },
  searchProducts: { method: 'GET', path: '/products/search.json' },
  listProductIssues: { method: 'GET', path: '/products/issues.json' },
  listProductHistory: { method: 'GET', path: '/products/history.json' },
  describeProducts: { method: 'GET', path: '/products/schema.json' },
  createProduct: { method: 'POST', path: '/products.json' },
  updateProduct: { method: 'POST', path: '/products/update.json' },
  writeProducts: { method: 'POST', path: '/products/batch.json' },
  enableProduct: { method: 'POST', path: '/products/enable.json' },
  enableProductCatalogOnly: { method: 'POST', path: '/products/enable_catalog_only.json' },
  disableProduct: { method: 'POST', path: '/products/disable.json' },
  deleteProduct: { method: 'POST', path: '/products/delete.json' },
  describeVariations: { method: 'GET', path: '/variations/schema.json' },
  createVariation: { method: 'POST', path: '/variations.json' },
  updateVariation: { method: 'POST', path: '/variations/update.json' },
  enableVariation: { method: 'POST', path: '/variations/enable.json' },
  disableVariation: { method: 'POST', path: '/variations/disable.json' },
  deleteVariation: { method: 'POST', path: '/variations/delete.json' },
  retrieveVariation: { method: 'GET', path: '/variations/retrieve.json' },
  resetTestSide: { method: 'POST', path: '/test/reset.json' },
  listEvents: { method: 'GET', path: '/events.json' },
  listWebhooks: { method: 'GET', path: '/webhooks.json' },
  createWebhook: { method: 'POST', path: '/webhooks.json' },
  retrieveWebhook: { method: 'GET', path: '/webhooks/{webhook}.json' },
  changeWebhook: { method: 'PUT', path: '/webhooks/{webhook}.json' },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{webhook}.json' },
  rotateWebhookSecret: { method: 'POST', path: '/webhooks/{webhook}/secret.json' },
  testWebhook: { method: 'POST', path: '/webhooks/{webhook}/test.json' },
  replayWebhook: { method: 'POST', path: '/webhooks/{webhook}/replay.json' },
  listWebhookDeliveries: { method: 'GET', path: '/webhooks/{webhook}/deliveries.json' },
  triggerTestEvent: { method: 'POST', path: '/test/trigger.json' },
  importFile: { method: 'POST', path: '/imports.json' },
  listImports: { method: 'GET', path: '/imports.json' },
  retrieveImport: { method: 'GET', path: '/imports/retrieve.json' },
  listRejectedRows: { method: 'GET', path: '/imports/rejects.json' },
  cancelImport: { method: 'POST', path: '/imports/cancel.json' },
  undoChange: { method: 'POST', path: '/imports/undo.json' },
};

export type { ListParameters, ProductFilter, SearchParameters } from './catalog-client.ts';
export { ApiError, ConnectionError, type Problem, TradepostError } from './errors.ts';
export type {
  Account,
  BatchResult,
  Campaign,
  CampaignChanges,
  CampaignPaginationSummary,
  CampaignPerformance,
  CreatedMerchantWebhook,
  EventOf,
  EventPage,
  EventType,
  FieldDescription,
  Import,
  ImportPage,
  MerchantWebhook,
  MerchantWebhookDelivery,
  Metadata,
  MonthlySales,
  Order,
  OrderBatchResult,
  OrderChanges,
  OrderLine,
  OrderPaginationSummary,
  PaginationSummary,
  Placement,
  PlacementList,
  Product,
  ProductChanges,
  ProductIssues,
  ProductLine,
  ProductSales,
  RejectedRow,
  RejectedRowPage,
  RetrievedVariation,
  Schedule,
  ScheduleList,
  TestSide,
  TestTrigger,
  TradepostEvent,
  Variation,
} from './operations.ts';
export { TradepostOperator } from './operator.ts';
export type { OperatorCallOptions, OperatorWriteOptions } from './operator-caller.ts';
export type {
  CreatedMerchantKey,
  CreatedWebhook,
  Invitation,
  Merchant,
  MerchantKey,
  MerchantPage,
  MetadataList,
  MetadataLists,
  OperatorOrder,
  StreamSummary,
  Webhook,
  WebhookDelivery,
} from './operator-operations.ts';
export type { CallOptions, ChangesOptions, CreateOptions, ImportOptions, WriteOptions } from './options.ts';
export type { OrderListParameters } from './orders-client.ts';
export type { ClientOptions } from './sender.ts';
export { type CampaignParameters, Tradepost } from './tradepost.ts';
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';

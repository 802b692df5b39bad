export { ApiError, ConnectionError, TradepostError } from './errors.ts';
export type {
  Account,
  BatchResult,
  Campaign,
  CampaignChanges,
  CampaignPaginationSummary,
  EventOf,
  EventType,
  FieldDescription,
  Import,
  ImportPage,
  MonthlySales,
  PaginationSummary,
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
  TradepostEvent,
  Variation,
} from './operations.ts';
export { type OperatorCallOptions, type OperatorWriteOptions, TradepostOperator } from './operator.ts';
export type {
  CreatedMerchantKey,
  Invitation,
  Merchant,
  MerchantKey,
  MerchantPage,
  StreamSummary,
} from './operator-operations.ts';
export type { ClientOptions } from './sender.ts';
export {
  type CallOptions,
  type CampaignParameters,
  type CreateOptions,
  type ImportOptions,
  type ListParameters,
  type ProductFilter,
  type SearchParameters,
  Tradepost,
  type WriteOptions,
} from './tradepost.ts';

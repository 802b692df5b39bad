export { ApiError, ConnectionError, TradepostError } from './errors.ts';
export type {
  Account,
  Campaign,
  FieldDescription,
  MonthlySales,
  PaginationSummary,
  Product,
  RetrievedVariation,
  Variation,
} from './operations.ts';
export type { ClientOptions } from './sender.ts';
export {
  type CallOptions,
  type CampaignParameters,
  type CreateOptions,
  type ListParameters,
  type ProductFilter,
  Tradepost,
} from './tradepost.ts';

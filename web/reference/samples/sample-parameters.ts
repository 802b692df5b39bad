/** The parameters of samples, by operation, and their values where the document has no good example. */
export type SampleParameters = Readonly<Record<string, readonly (string | [name: string, value: unknown])[]>>;

/**
 * Those of the merchants' API, where the first parameters would exclude each other or would not show what the
 * call is for.
 */
export const sampleParameters: SampleParameters = {
  listProducts: ['status', 'per_page'],
  createProduct: ['identifier', 'title', 'category', 'buy_now_price', ['available_quantity', 12]],
  updateProduct: ['identifier', 'buy_now_price', 'days_to_deliver'],
  searchProducts: ['query', 'per_page'],
  listCampaigns: ['status', 'per_page'],
  updateCampaign: ['internal_id', 'daily_budget'],
  listPlacements: ['campaign', 'from', 'to'],
  readCampaignPerformance: ['internal_id', 'from', 'to', 'by'],
  listSchedules: ['changed_since', 'per_page'],
  listOrders: ['filter', 'per_page'],
  explainFigure: ['figure', 'month'],
  refundOrder: ['order_id', 'type', 'reason', 'restock'],
  cancelOrder: ['order_id', 'reason', 'restock'],
  replayWebhook: ['since', 'only_failed'],
  triggerTestEvent: ['event', 'product_identifier'],
  resetTestSide: ['samples'],
  importFile: [['dry_run', true]],
  listImports: ['per_page'],
  listRejectedRows: ['id', 'per_page'],
  undoChange: ['import_id', 'dry_run'],
};

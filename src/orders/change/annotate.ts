import { type ChangeOrder, eventData, requireWritable } from './change-order.ts';

/** Sets `acknowledged_at` once. A merchant's own ID of the order may be added or changed later. */
export const acknowledge: ChangeOrder<{ merchant_order_id?: string | undefined }> = (order, input, now) => {
  const { merchant_order_id = order.merchant_order_id } = input;
  if (order.acknowledged_at !== null && merchant_order_id === order.merchant_order_id) return null;
  requireWritable(order);
  const after = { ...order, merchant_order_id, acknowledged_at: order.acknowledged_at ?? now };
  const events =
    order.acknowledged_at === null ? [{ type: 'order.acknowledged' as const, data: eventData(after) }] : [];
  return { order: after, events };
};

/** The last annotation wins; null clears it. */
export const annotate: ChangeOrder<{ annotation: string | null }> = (order, { annotation }) => {
  requireWritable(order);
  if (annotation === order.annotation) return null;
  return { order: { ...order, annotation }, events: [] };
};

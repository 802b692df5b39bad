import { Chip } from '../ui/chip.tsx';
import { deliveryOf, type Order, packageTexts, statusTexts } from './order.ts';

/** The status of an order; once it is shipped, how far its packages are. */
export function OrderStatusChip({ order }: { order: Order }) {
  const { status, shipped_quantity: shipped } = order;
  const { label, tone, meaning } = statusTexts[status];
  if (status === 'paid' && shipped > 0)
    return (
      <Chip tone="warn" title="Some units still have to be shipped.">
        Partly shipped
      </Chip>
    );
  const delivery = deliveryOf(order);
  if (status === 'shipped' && delivery !== 'shipped')
    return <Chip tone={packageTexts[delivery].tone}>{packageTexts[delivery].label}</Chip>;
  return (
    <Chip tone={tone} title={meaning}>
      {label}
    </Chip>
  );
}

import { Chip } from '../ui/chip.tsx';
import { type Order, statusTexts } from './order.ts';

export function OrderStatusChip({ order }: { order: Pick<Order, 'status' | 'shipped_quantity'> }) {
  const { label, tone, meaning } = statusTexts[order.status];
  const isPartly = order.status === 'paid' && order.shipped_quantity > 0;
  return (
    <Chip tone={isPartly ? 'warn' : tone} title={isPartly ? 'Some units still have to be shipped.' : meaning}>
      {isPartly ? 'Partly shipped' : label}
    </Chip>
  );
}

import type { ProductStatus } from '../../src/products/record/product.ts';
import { Chip } from '../ui/chip.tsx';
import type { Tone } from '../ui/tone.ts';
import { statusDescriptions, statusLabels } from './listing.ts';

const tones: Record<ProductStatus, Tone> = {
  in_stock: 'good',
  enabled: 'good',
  low_inventory: 'warn',
  sold_out: 'warn',
  problematic: 'bad',
  banned: 'bad',
  disabled: 'quiet',
  deleted: 'quiet',
};

export function StatusChip({ status }: { status: ProductStatus }) {
  return (
    <Chip tone={tones[status]} title={statusDescriptions[status]}>
      {statusLabels[status]}
    </Chip>
  );
}

import type { Variation } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';

export function VariationStatus({ variation }: { variation: Variation }) {
  const { day } = useFormats();
  const { deleted_at: deleted, disabled_at: disabled } = variation;
  if (deleted !== null) return <Chip tone="quiet">Deleted {day(deleted)}</Chip>;
  if (disabled !== null) return <Chip tone="quiet">Disabled {day(disabled)}</Chip>;
  return <Chip tone="good">Active</Chip>;
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { useFormats } from '../../format/use-formats.ts';
import { Chip } from '../../ui/chip.tsx';
import { valueOrDash } from '../../ui/empty-value.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import type { MerchantProduct } from './queries.ts';

type Variation = MerchantProduct['product']['variations'][number];

/** So many are shown at first, and more with each press of a button. */
const STEP = 50;

/** The variations of a product, with their stock. */
export function ProductVariations({ variations }: { variations: readonly Variation[] }) {
  const { whole } = useFormats();
  const [shown, setShown] = useState(STEP);
  const more = variations.length - shown;
  return (
    <Panel title="Variations" aside={<span className="muted small">{whole(variations.length)}</span>} flush>
      <Table
        rows={variations.slice(0, shown)}
        keyOf={({ internal_id: id }) => id}
        columns={[
          {
            label: 'Variation',
            kind: 'lead',
            cell: ({ identifier }) => <span className="mono">{identifier}</span>,
          },
          { label: 'Size', cell: ({ size }) => valueOrDash(size, (text) => text) },
          { label: 'Color', cell: ({ color }) => valueOrDash(color, (text) => text) },
          { label: 'Stock', kind: 'number', cell: ({ quantity }) => valueOrDash(quantity, whole) },
          { label: 'Status', cell: (variation) => <VariationChip variation={variation} /> },
        ]}
      />
      {more > 0 && (
        <Button variant="default" size="compact-sm" m="sm" onClick={() => setShown(shown + 10 * STEP)}>
          Show {whole(Math.min(more, 10 * STEP))} more
        </Button>
      )}
    </Panel>
  );
}

function VariationChip({ variation }: { variation: Variation }) {
  if (variation.deleted_at !== null) return <Chip tone="quiet">Deleted</Chip>;
  if (variation.disabled_at !== null) return <Chip tone="quiet">Disabled</Chip>;
  return <Chip tone="good">For sale</Chip>;
}

import type { Variation } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';

export function VariationsTable({ variations }: { variations: Variation[] }) {
  const { whole } = useFormats();
  return (
    <section>
      <h3>Variations</h3>
      {variations.length === 0 ? (
        <p className="muted">No variations</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className="table-frame" tabIndex={0} aria-label="Variations">
          <table className="table cards">
            <thead>
              <tr>
                <th scope="col">Identifier</th>
                <th scope="col">Size</th>
                <th scope="col">Color</th>
                <th scope="col" className="number">
                  Quantity
                </th>
                <th scope="col">Status</th>
              </tr>
            </thead>
            <tbody>
              {variations.map((variation) => (
                <tr key={variation.internal_id}>
                  <td className="lead mono">{variation.identifier}</td>
                  <td data-label="Size">{valueOrDash(variation.size, String)}</td>
                  <td data-label="Color">{valueOrDash(variation.color, String)}</td>
                  <td data-label="Quantity" className="number">
                    {valueOrDash(variation.quantity, whole)}
                  </td>
                  <td data-label="Status">
                    <VariationStatus variation={variation} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function VariationStatus({ variation }: { variation: Variation }) {
  const { day } = useFormats();
  const { deleted_at: deleted, disabled_at: disabled } = variation;
  if (deleted !== null) return <Chip tone="quiet">Deleted {day(deleted)}</Chip>;
  if (disabled !== null) return <Chip tone="quiet">Disabled {day(disabled)}</Chip>;
  return <Chip tone="good">Active</Chip>;
}

import type { Variation } from '../../src/products/record/product.ts';
import { Chip } from '../feedback/chip.tsx';
import { orNothing } from '../feedback/fact.tsx';
import { useFormats } from '../format/use-formats.ts';

export function VariationsTable({ variations }: { variations: Variation[] }) {
  const { whole } = useFormats();
  return (
    <section>
      <h3>Variations</h3>
      {variations.length === 0 ? (
        <p className="soft">It has none.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        <section className="table-frame" tabIndex={0} aria-label="Variations">
          <table className="table cards">
            <thead>
              <tr>
                <th scope="col">Identifier</th>
                <th scope="col">Size</th>
                <th scope="col">Colour</th>
                <th scope="col" className="number">
                  Quantity
                </th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {variations.map((variation) => (
                <tr key={variation.internal_id}>
                  <td className="lead mono">{variation.identifier}</td>
                  <td data-label="Size">{orNothing(variation.size, String)}</td>
                  <td data-label="Colour">{orNothing(variation.color, String)}</td>
                  <td data-label="Quantity" className="number">
                    {orNothing(variation.quantity, whole)}
                  </td>
                  <td data-label="State">
                    <State variation={variation} />
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

function State({ variation }: { variation: Variation }) {
  const { day } = useFormats();
  const { deleted_at: deleted, disabled_at: disabled } = variation;
  if (deleted !== null) return <Chip tone="quiet">Deleted {day(deleted)}</Chip>;
  if (disabled !== null) return <Chip tone="quiet">Disabled {day(disabled)}</Chip>;
  return <Chip tone="good">On sale</Chip>;
}

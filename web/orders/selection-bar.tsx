import { Button, Checkbox } from '@mantine/core';
import { useFormats } from '../format/use-formats.ts';
import { LinkButton } from '../ui/link-button.tsx';
import type { Order } from './order.ts';
import styles from './orders.module.css';

/** As many orders as the console’s API reveals at a time. */
const MAX_SLIPS = 100;

interface Props {
  /** The orders that are shown. */
  orders: readonly Order[];
  total: number;
  selected: ReadonlySet<number>;
  onSelect: (ids: readonly number[], isSelected: boolean) => void;
  onClear: () => void;
}

/** How many orders are selected, and what can be done with them. */
export function SelectionBar({ orders, total, selected, onSelect, onClear }: Props) {
  const { whole, count } = useFormats();
  const shown = orders.map(({ order_id: id }) => id);
  const selectedHere = shown.filter((id) => selected.has(id)).length;
  const isAll = shown.length > 0 && selectedHere === shown.length;
  const ids = [...selected].join(',');
  const tooMany = selected.size > MAX_SLIPS;
  return (
    <section className={styles.bar} aria-label="Selected orders">
      <Checkbox
        label={selected.size === 0 ? 'Select page' : `${whole(selected.size)} selected`}
        checked={isAll}
        indeterminate={!isAll && selected.size > 0}
        onChange={(event) => onSelect(shown, event.currentTarget.checked)}
      />
      {selected.size === 0 ? (
        <span className="muted small" role="status">
          {count(total, 'order')}
        </span>
      ) : (
        <>
          <Button variant="subtle" size="compact-sm" onClick={onClear}>
            Clear
          </Button>
          <span className={styles.barActions}>
            {tooMany ? (
              <span className="muted small">Select at most {MAX_SLIPS} to print packing slips.</span>
            ) : (
              <LinkButton to="/orders/slips" search={{ ids }} variant="default" size="compact-sm">
                Print packing slips
              </LinkButton>
            )}
            <LinkButton to="/orders/ship" search={{ ids }} variant="default" size="compact-sm">
              Enter tracking numbers
            </LinkButton>
          </span>
        </>
      )}
    </section>
  );
}

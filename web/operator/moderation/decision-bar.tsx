import { Button } from '@mantine/core';
import type { Moderation } from '../../../src/products/record/product-status.ts';
import { useFormats } from '../../format/use-formats.ts';
import styles from './moderation.module.css';
import { decisionStates, decisions } from './review-fields.ts';

interface Props {
  /** The number of selected products; without any, the decision is about the one that is shown. */
  selected: number;
  canDecide: boolean;
  isPending: boolean;
  onDecide: (state: Moderation) => void;
  onMove: (steps: 1 | -1) => void;
  onClear: () => void;
}

const variants = { ok: 'filled', problematic: 'default', banned: 'default' } as const;

/** The decisions, and the way to the next product. */
export function DecisionBar({ selected, canDecide, isPending, onDecide, onMove, onClear }: Props) {
  const { whole } = useFormats();
  return (
    <div className={styles.bar}>
      {canDecide &&
        decisionStates.map((state) => (
          <Button
            key={state}
            size="sm"
            variant={variants[state]}
            disabled={isPending}
            aria-keyshortcuts={decisions[state].key}
            rightSection={<Key name={decisions[state].key} />}
            onClick={() => onDecide(state)}
          >
            {decisions[state].action}
            {selected > 0 && ` ${whole(selected)} selected`}
          </Button>
        ))}
      {selected > 0 && (
        <Button size="sm" variant="subtle" onClick={onClear}>
          Clear selection
        </Button>
      )}
      <span className={styles.steps}>
        <Button
          size="sm"
          variant="default"
          rightSection={<Key name="k" />}
          aria-keyshortcuts="k"
          onClick={() => onMove(-1)}
        >
          Previous
        </Button>
        <Button
          size="sm"
          variant="default"
          rightSection={<Key name="j" />}
          aria-keyshortcuts="j"
          onClick={() => onMove(1)}
        >
          Next
        </Button>
      </span>
    </div>
  );
}

function Key({ name }: { name: string }) {
  return (
    <span aria-hidden="true" className={styles.key}>
      {name.toUpperCase()}
    </span>
  );
}

import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { CodeCard } from './code-card.tsx';
import styles from './reference.module.css';

interface Props {
  status: string;
  /** By their names. */
  examples: [string, { summary?: string; value: unknown }][];
  operationId: string;
}

/** What a call returns, as an example; one of several. */
export function ExampleCard({ status, examples, operationId }: Props) {
  const [index, setIndex] = useState(0);
  const example = examples[index]?.[1];
  if (example === undefined) return null;
  const nameOf = ([name, { summary }]: Props['examples'][number]): string =>
    summary ?? name.replaceAll('_', ' ');
  return (
    <CodeCard
      text={JSON.stringify(example.value, null, 2)}
      label={`example response of ${operationId}`}
      title={
        <span className={styles.exampleTitle}>
          <span className={styles.status} data-class={status[0]}>
            {status}
          </span>
          {examples.length > 1 ? (
            <NativeSelect
              size="xs"
              aria-label={`Example response of ${operationId}`}
              value={String(index)}
              data={examples.map((one, at) => ({ value: String(at), label: nameOf(one) }))}
              onChange={(event) => setIndex(Number(event.currentTarget.value))}
            />
          ) : (
            <span>{examples[0] && nameOf(examples[0])}</span>
          )}
        </span>
      }
    />
  );
}

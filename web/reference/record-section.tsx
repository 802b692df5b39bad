import { useMemo } from 'react';
import { exampleOfRecord } from './call-input.ts';
import { CodeCard } from './code-card.tsx';
import { FieldList } from './field-list.tsx';
import { Heading } from './heading.tsx';
import { resolve, type Schema } from './open-api.ts';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';
import { useReference } from './reference-context.ts';

/** The fields of a record that calls return or send, with an example if a call returns just the record. */
export function RecordSection({ name }: { name: string }) {
  const { document } = useReference();
  const { description = '', properties = {} } = resolve<Schema>(document, {
    $ref: `#/components/schemas/${name}`,
  });
  const example = useMemo(() => exampleOfRecord(document, name), [document, name]);
  const title = `${name}-title`;
  return (
    <section id={name} className={styles.endpoint} aria-labelledby={title}>
      <div className={styles.columns}>
        <div className={styles.docs}>
          <h2 id={title}>
            <Heading id={name}>{name}</Heading>
          </h2>
          <Prose text={description} />
          <FieldList
            anchor={name}
            fields={Object.entries(properties).map(([name, schema]) => ({ name, schema }))}
          />
        </div>
        {example !== undefined && (
          <div className={styles.code}>
            <CodeCard
              text={JSON.stringify(example, null, 2)}
              label={`example of ${name}`}
              title={<span>Example</span>}
            />
          </div>
        )}
      </div>
    </section>
  );
}

import { Table } from '../ui/table.tsx';
import { type OpenApi, type Reference, resolve, type Schema, typeLabel } from './open-api.ts';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';

/** The fields of a response body; of each alternative if there are several. */
export function FieldsTable({ document, schema }: { document: OpenApi; schema: Schema | Reference }) {
  const resolved = resolve(document, schema);
  if (resolved.oneOf !== undefined) {
    return resolved.oneOf.map((alternative) => (
      <FieldsTable key={typeLabel(document, alternative)} document={document} schema={alternative} />
    ));
  }
  if (resolved.items !== undefined) return <FieldsTable document={document} schema={resolved.items} />;
  if (resolved.properties === undefined) return null;
  return (
    <Table
      className={styles.tight}
      caption={`Fields of ${typeLabel(document, schema)}`}
      rows={Object.entries(resolved.properties)}
      keyOf={([name]) => name}
      columns={[
        { label: 'Field', kind: 'lead', cell: ([name]) => <code className={styles.name}>{name}</code> },
        { label: 'Type', cell: ([, property]) => typeLabel(document, property) },
        {
          label: 'Description',
          kind: 'text',
          className: styles.description,
          cell: ([, property]) => <Prose text={resolve(document, property).description ?? ''} />,
        },
      ]}
    />
  );
}

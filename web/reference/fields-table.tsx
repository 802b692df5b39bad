import { type OpenApi, type Reference, resolve, type Schema, typeWords } from './open-api.ts';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';

/** The fields of what a body holds, of each thing that it may be. */
export function FieldsTable({ document, schema }: { document: OpenApi; schema: Schema | Reference }) {
  const whole = resolve(document, schema);
  if (whole.oneOf !== undefined) {
    return whole.oneOf.map((one) => (
      <FieldsTable key={typeWords(document, one)} document={document} schema={one} />
    ));
  }
  if (whole.items !== undefined) return <FieldsTable document={document} schema={whole.items} />;
  if (whole.properties === undefined) return null;
  return (
    <div className="table-frame">
      <table className={`table cards ${styles.tight}`}>
        <caption className="unseen">Fields of {typeWords(document, schema)}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">What it is</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(whole.properties).map(([name, property]) => (
            <tr key={name}>
              <td className="lead">
                <code className={styles.name}>{name}</code>
              </td>
              <td data-label="Type">{typeWords(document, property)}</td>
              <td className={styles.words}>
                <Prose text={resolve(document, property).description ?? ''} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

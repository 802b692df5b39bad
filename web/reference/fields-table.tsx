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
    <div className="table-frame">
      <table className={`table cards ${styles.tight}`}>
        <caption className="visually-hidden">Fields of {typeLabel(document, schema)}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(resolved.properties).map(([name, property]) => (
            <tr key={name}>
              <td className="lead">
                <code className={styles.name}>{name}</code>
              </td>
              <td data-label="Type">{typeLabel(document, property)}</td>
              <td className={styles.description}>
                <Prose text={resolve(document, property).description ?? ''} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

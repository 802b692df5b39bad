import { type Reference, resolve, type Schema } from './open-api.ts';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';
import { useReference } from './reference-context.ts';
import { TypeName } from './type-name.tsx';

/** A parameter, a header, or a field of a record. */
export interface Described {
  name: string;
  /** Where it is sent, if that needs to be said. */
  place?: string;
  description?: string | undefined;
  schema?: Schema | Reference | undefined;
  example?: unknown;
  required?: boolean | undefined;
}

/** A list with a link to each entry. `anchor` begins the fragments of their URLs. */
export function FieldList({ anchor, fields }: { anchor: string; fields: readonly Described[] }) {
  return (
    <ul className={styles.fields}>
      {fields.map((field) => (
        <Field key={`${field.place} ${field.name}`} id={`${anchor}.${field.name}`} field={field} />
      ))}
    </ul>
  );
}

function Field({ id, field }: { id: string; field: Described }) {
  const { document } = useReference();
  const { name, place, schema, required, example } = field;
  const resolved = schema && resolve(document, schema);
  const description = field.description ?? resolved?.description ?? '';
  const inner = Object.entries(membersOf(resolved) ?? {});
  const isShown =
    example !== undefined &&
    typeof example !== 'object' &&
    resolved?.enum === undefined &&
    !description.includes('such as');
  return (
    <li id={id} className={styles.field}>
      <p className={styles.fieldHead}>
        <a href={`#${id}`} className={styles.anchor}>
          <code className={styles.name}>{name}</code>
        </a>
        {schema && (
          <span className={styles.type}>
            <TypeName schema={schema} />
          </span>
        )}
        {place !== undefined && <span className={styles.type}>{place}</span>}
        {required && <span className={styles.required}>required</span>}
      </p>
      <Prose text={description} />
      {resolved?.enum !== undefined && (
        <p className={styles.values}>
          {resolved.enum
            .filter((value) => value !== null)
            .map((value) => (
              <code key={String(value)}>{String(value)}</code>
            ))}
        </p>
      )}
      {(resolved?.default !== undefined || isShown) && (
        <p className="muted small">
          {resolved?.default !== undefined && (
            <>
              Default: <code>{String(resolved.default)}</code>{' '}
            </>
          )}
          {isShown && (
            <>
              Example: <code>{String(example)}</code>
            </>
          )}
        </p>
      )}
      {inner.length > 0 && schema !== undefined && !('$ref' in schema) && (
        <FieldList anchor={id} fields={inner.map(([name, schema]) => ({ name, schema }))} />
      )}
    </li>
  );
}

/** The fields of an object, or of the objects of a list, that are described with it. */
function membersOf(schema: Schema | undefined): Schema['properties'] {
  if (schema?.items !== undefined && !('$ref' in schema.items)) return schema.items.properties;
  return schema?.properties;
}

import { type OpenApi, type Parameter, resolve, typeLabel } from './open-api.ts';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';

export function ParametersTable({ document, parameters }: { document: OpenApi; parameters: Parameter[] }) {
  if (parameters.length === 0) return null;
  return (
    <>
      <h3 className={styles.heading}>Parameters</h3>
      <div className="table-frame">
        <table className={`table cards ${styles.tight}`}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">In</th>
              <th scope="col">Type</th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {parameters.map((parameter) => (
              <tr key={`${parameter.in} ${parameter.name}`}>
                <td className="lead">
                  <code className={styles.name}>{parameter.name}</code>
                  {parameter.required && <span className={styles.required}>required</span>}
                  {parameter.deprecated && <span className="muted small"> deprecated</span>}
                </td>
                <td data-label="In">{parameter.in}</td>
                <td data-label="Type">{parameter.schema && typeLabel(document, parameter.schema)}</td>
                <td className={styles.description}>
                  <Prose text={parameter.description ?? ''} />
                  <Values document={document} parameter={parameter} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Values({ document, parameter }: { document: OpenApi; parameter: Parameter }) {
  const schema = parameter.schema && resolve(document, parameter.schema);
  return (
    <>
      {schema?.enum !== undefined && (
        <p className={styles.values}>
          {schema.enum.map((value) => (
            <code key={String(value)}>{String(value)}</code>
          ))}
        </p>
      )}
      {schema?.default !== undefined && (
        <p className="muted small">
          Default: <code>{String(schema.default)}</code>
        </p>
      )}
    </>
  );
}

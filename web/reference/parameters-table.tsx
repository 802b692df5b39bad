import { Table } from '../ui/table.tsx';
import { type OpenApi, type Parameter, resolve, typeLabel } from './open-api.ts';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';

export function ParametersTable({ document, parameters }: { document: OpenApi; parameters: Parameter[] }) {
  if (parameters.length === 0) return null;
  return (
    <>
      <h3 className={styles.heading}>Parameters</h3>
      <Table
        className={styles.tight}
        rows={parameters}
        keyOf={(parameter) => `${parameter.in} ${parameter.name}`}
        columns={[
          {
            label: 'Name',
            kind: 'lead',
            cell: ({ name, required, deprecated }) => (
              <>
                <code className={styles.name}>{name}</code>
                {required && <span className={styles.required}>required</span>}
                {deprecated && <span className="muted small"> deprecated</span>}
              </>
            ),
          },
          { label: 'In', cell: (parameter) => parameter.in },
          { label: 'Type', cell: ({ schema }) => schema && typeLabel(document, schema) },
          {
            label: 'Description',
            kind: 'text',
            className: styles.description,
            cell: (parameter) => (
              <>
                <Prose text={parameter.description ?? ''} />
                <Values document={document} parameter={parameter} />
              </>
            ),
          },
        ]}
      />
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

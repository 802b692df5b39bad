import type { ConsoleImport, ImportedChange } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import { labelOfChange, readableValue } from './changed-field.ts';
import styles from './imports.module.css';

/** What a file changes of the first products. */
export function ProductChanges({ upload }: { upload: ConsoleImport }) {
  const { changes, summary } = upload;
  const { whole } = useFormats();
  if (changes === null || changes.length === 0) return null;
  const hasMore = changes.length < (summary?.created ?? 0) + (summary?.updated ?? 0);
  return (
    <Panel title={hasMore ? `Changes (first ${whole(changes.length)} products)` : 'Changes'} flush>
      <Table
        rows={changes}
        keyOf={(_, index) => index}
        columns={[
          {
            label: 'Product',
            kind: 'lead',
            cell: ({ title, identifier, is_new: isNew }) => (
              <>
                {title ?? identifier} {isNew && <Chip tone="good">New</Chip>}
                <div className="mono muted small">{identifier}</div>
              </>
            ),
          },
          { label: 'Before → after', kind: 'text', cell: (change) => <FieldChanges change={change} /> },
        ]}
      />
    </Panel>
  );
}

function FieldChanges({ change: { is_new: isNew, fields, more_fields: more } }: { change: ImportedChange }) {
  const formats = useFormats();
  return (
    <ul className={styles.changes}>
      {fields.map(({ name, before, after }) => (
        <li key={name}>
          <span className="muted">{labelOfChange(name)}:</span>{' '}
          {!isNew && (
            <>
              <del>{readableValue(name, before, formats)}</del> <span aria-hidden="true">→</span>{' '}
            </>
          )}
          <ins>{readableValue(name, after, formats)}</ins>
        </li>
      ))}
      {more > 0 && <li className="muted">and {formats.whole(more)} more</li>}
    </ul>
  );
}

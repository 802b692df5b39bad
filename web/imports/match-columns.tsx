import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { queryClient } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { FormError } from '../ui/form-error.tsx';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import { guessColumns } from './guess-columns.ts';
import {
  IDENTIFIER,
  importFieldGroups,
  isImportField,
  isSpecialColumn,
  labelOfImportField,
} from './import-fields.ts';
import styles from './imports.module.css';
import { importQuery } from './queries.ts';
import { SheetSelect } from './sheet-select.tsx';

const options = [
  { value: '', label: 'Don’t import' },
  ...importFieldGroups.map(({ title, fields }) => ({
    group: title,
    items: fields.map(({ name, label }) => ({ value: name, label })),
  })),
];

/** Whether some column has another name than its field, so that the user should see what it is taken for. */
export function hasUnmatchedColumns({ state, format, mapping, columns, failure }: ConsoleImport): boolean {
  if (state !== 'checked' || columns.length === 0) return false;
  if (failure !== null) return true;
  if (mapping !== null || format !== 'csv') return false;
  return [...guessColumns(columns.map(({ name }) => name))].some(
    ([header, field]) => field !== '' && field !== header,
  );
}

interface Props {
  upload: ConsoleImport;
  /** Undefined if the table cannot be imported as it is. */
  onClose?: (() => void) | undefined;
  onStartOver: () => void;
}

/** The columns of a file beside the fields of products. What is chosen is remembered by the server. */
export function MatchColumns({ upload, onClose, onStartOver }: Props) {
  const { id, name: file, failure, mapping } = upload;
  const columns = upload.columns.filter(({ name }) => !isSpecialColumn(name));
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(() => {
    const guesses = guessColumns(columns.map(({ name }) => name));
    if (mapping === null) return guesses;
    const known = new Map(Object.entries(mapping));
    return new Map(columns.map(({ name }) => [name, known.get(name) ?? (isImportField(name) ? name : '')]));
  });
  const check = useMutation({
    mutationFn: () => post<ConsoleImport>(`imports/${id}/check`, { columns: changesOf(chosen) }),
    onSuccess: (checking) => {
      queryClient.setQueryData(importQuery(id).queryKey, checking);
      onClose?.();
    },
  });
  const fields = [...chosen.values()].filter((field) => field !== '');
  const repeated = fields.find((field, index) => fields.indexOf(field) !== index);
  const problem = !fields.includes(IDENTIFIER)
    ? 'Choose the column with the identifier of each product, such as the SKU.'
    : repeated !== undefined && `Two columns are matched to ${labelOfImportField(repeated)}. Choose one.`;
  return (
    <Panel title="Match columns" aside={<span className="muted small">{file}</span>} flush>
      <div className={styles.matchLead}>
        <p>
          Choose which product field each column is. Files with the same columns will be read like this next
          time.
        </p>
        {failure !== null && !failure.includes('Missing column') && (
          <p role="alert">{failure.replace(`${file}: `, '')}</p>
        )}
        <SheetSelect upload={upload} />
      </div>
      <Table
        className={styles.match}
        rows={columns}
        keyOf={({ name }) => name}
        columns={[
          { label: 'Column in your file', kind: 'lead', cell: ({ name }) => name },
          {
            label: 'Example',
            className: styles.sample,
            cell: ({ sample }) => sample || <span className="muted">(empty)</span>,
          },
          {
            label: 'Product field',
            cell: ({ name }) => (
              <NativeSelect
                aria-label={`Product field for ${name}`}
                data={options}
                value={chosen.get(name) ?? ''}
                data-left-out={!chosen.get(name) || undefined}
                onChange={({ currentTarget: { value } }) =>
                  setChosen((before) => new Map(before).set(name, value))
                }
              />
            ),
          },
        ]}
      />
      <div className={styles.matchEnd}>
        <p role="status" className={problem === false ? 'muted small' : styles.problem}>
          {problem === false ? `${fields.length} of ${columns.length} columns will be imported.` : problem}
        </p>
        <FormError error={check.error} />
        <div className={styles.buttons}>
          <Button onClick={() => check.mutate()} loading={check.isPending} disabled={problem !== false}>
            Preview
          </Button>
          {onClose === undefined ? (
            <Button variant="default" onClick={onStartOver}>
              Upload another file
            </Button>
          ) : (
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          )}
        </div>
      </div>
    </Panel>
  );
}

/** Only what differs from what a column means by its name. */
function changesOf(chosen: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...chosen].filter(([name, field]) => field !== (isImportField(name) ? name : '')),
  );
}

import { Button, Checkbox } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { queryClient, refresh } from '../server/query-client.ts';
import { post, request } from '../server/request.ts';
import { useAllows } from '../session/role.ts';
import { optionsQuery } from '../session/session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { FormError } from '../ui/form-error.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { ImportFigures } from './import-figures.tsx';
import { ImportResult } from './import-result.tsx';
import styles from './imports.module.css';
import { hasUnmatchedColumns, MatchColumns } from './match-columns.tsx';
import { Progress } from './progress.tsx';
import { importQuery } from './queries.ts';
import { SheetSelect } from './sheet-select.tsx';
import { UndoImport } from './undo-import.tsx';
import { wordsOf } from './words.ts';

/** The steps of an uploaded file: check, preview, import. */
export function ImportSteps({ id, onStartOver }: { id: string; onStartOver: () => void }) {
  const { data: upload, error, refetch } = useQuery(importQuery(id));
  const canEdit = useAllows('editor');
  const isDone = upload?.state === 'done' || upload?.state === 'canceled';
  useEffect(() => {
    if (isDone)
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'imports' });
  }, [isDone]);
  if (upload === undefined) {
    return (
      <Panel flush={error === null}>
        {error === null ? (
          <TableSkeleton rows={3} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()}>
            <Button onClick={onStartOver} size="sm">
              Upload file
            </Button>
          </ErrorState>
        )}
      </Panel>
    );
  }
  if (upload.state === 'failed') {
    const { name, failure } = upload;
    return (
      <Panel title={name}>
        <ErrorState
          title={wordsOf(upload).failed}
          error={new Error(failure?.replace(`${name}: `, '') ?? 'The file couldn’t be read.')}
        >
          {!upload.is_bulk && (
            <Button onClick={onStartOver} size="sm">
              Upload another file
            </Button>
          )}
          {upload.can_undo && <UndoImport upload={upload} size="sm" />}
        </ErrorState>
      </Panel>
    );
  }
  if (upload.state === 'checked' && upload.failure !== null) {
    return canEdit && upload.columns.length > 0 ? (
      <MatchColumns key={upload.sheet?.name} upload={upload} onStartOver={onStartOver} />
    ) : (
      <ChooseOtherSheet upload={upload} onStartOver={onStartOver} />
    );
  }
  if (upload.state === 'checking' || upload.state === 'importing') return <ImportProgress upload={upload} />;
  return canEdit ? (
    <ImportResultActions upload={upload} onStartOver={onStartOver} />
  ) : (
    <ImportResult upload={upload} />
  );
}

/** Says why a sheet cannot be imported, and offers the others. */
function ChooseOtherSheet({ upload, onStartOver }: { upload: ConsoleImport; onStartOver: () => void }) {
  const { name, failure } = upload;
  const canEdit = useAllows('editor');
  return (
    <Panel title={name}>
      <div className={styles.otherSheet}>
        <p role="alert">
          <strong>{upload.sheet === null ? 'This file' : 'This sheet'} can’t be imported.</strong>
          <br />
          {failure?.replace(`${name}: `, '')}
        </p>
        {canEdit && <SheetSelect upload={upload} />}
        {canEdit && (
          <Button variant="default" onClick={onStartOver}>
            Upload another file
          </Button>
        )}
      </div>
    </Panel>
  );
}

function ImportProgress({ upload }: { upload: ConsoleImport }) {
  const { id, name, state, progress } = upload;
  const words = wordsOf(upload);
  const canEdit = useAllows('editor');
  const cancel = useMutation({
    mutationFn: () => post<ConsoleImport>(`imports/${id}/cancel`),
    onSuccess: () => refresh(['imports', id]),
  });
  return (
    <Panel title={name}>
      <div className={styles.pending}>
        <Progress label={state === 'checking' ? words.checking : words.running} value={progress} />
        <ImportFigures upload={upload} />
        <p className="muted small">
          {state === 'checking'
            ? 'You can leave this page and come back.'
            : `You can leave this page: the ${words.noun} continues. If you cancel it, the products changed so far stay changed.`}
        </p>
        <FormError error={cancel.error} />
        {canEdit && (
          <Button variant="default" onClick={() => cancel.mutate()} loading={cancel.isPending}>
            Cancel
          </Button>
        )}
      </div>
    </Panel>
  );
}

function ImportResultActions({ upload, onStartOver }: { upload: ConsoleImport; onStartOver: () => void }) {
  const { data: options } = useQuery(optionsQuery);
  const [notify, setNotify] = useState(false);
  const startImport = useMutation({
    mutationFn: () => post<ConsoleImport>(`imports/${upload.id}/import`, { notify }),
    onSuccess: () => refresh(['imports', upload.id]),
  });
  const discard = useMutation({
    mutationFn: () => request<void>(`imports/${upload.id}`, { method: 'DELETE' }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['imports'], exact: true });
      onStartOver();
    },
  });
  const [isMatching, setIsMatching] = useState(hasUnmatchedColumns(upload));
  if (isMatching)
    return <MatchColumns upload={upload} onClose={() => setIsMatching(false)} onStartOver={onStartOver} />;
  const words = wordsOf(upload);
  const changes = (upload.summary?.created ?? 0) + (upload.summary?.updated ?? 0);
  return (
    <ImportResult
      upload={upload}
      choices={
        upload.state === 'checked' && (
          <>
            <SheetSelect upload={upload} />
            <ColumnsLine upload={upload} onChange={() => setIsMatching(true)} />
          </>
        )
      }
    >
      <FormError error={startImport.error ?? discard.error} />
      {upload.state === 'done' || upload.state === 'canceled' ? (
        <>
          {!upload.is_bulk && (
            <Button variant="default" onClick={onStartOver}>
              Upload another file
            </Button>
          )}
          {upload.can_undo && <UndoImport upload={upload} />}
        </>
      ) : (
        <>
          <Button
            onClick={() => startImport.mutate()}
            loading={startImport.isPending}
            disabled={changes === 0}
          >
            {changes === 0 ? words.nothing : words.action}
          </Button>
          <Button variant="default" onClick={() => discard.mutate()} loading={discard.isPending}>
            Discard
          </Button>
          {options?.mail && changes > 0 && (
            <Checkbox
              label={`Email me when the ${words.noun} finishes`}
              checked={notify}
              onChange={(event) => setNotify(event.currentTarget.checked)}
            />
          )}
        </>
      )}
    </ImportResult>
  );
}

/** Says what decides the meaning of the columns, and leads to the choice. */
function ColumnsLine({ upload, onChange }: { upload: ConsoleImport; onChange: () => void }) {
  const { mapping, is_remembered: isRemembered, columns } = upload;
  if (columns.length === 0) return null;
  const words = isRemembered ? 'Columns as last time' : 'Columns as you matched them';
  return (
    <p className={styles.columns}>
      {mapping === null || (!isRemembered && Object.keys(mapping).length === 0) ? (
        <Button variant="subtle" size="compact-sm" onClick={onChange}>
          Match columns
        </Button>
      ) : (
        <>
          <span>{words} ·</span>{' '}
          <Button variant="subtle" size="compact-sm" onClick={onChange}>
            Change
          </Button>
        </>
      )}
    </p>
  );
}

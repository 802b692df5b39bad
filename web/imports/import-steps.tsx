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
import { Progress } from './progress.tsx';
import { importQuery } from './queries.ts';
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
          <Button onClick={onStartOver} size="sm">
            Upload another file
          </Button>
        </ErrorState>
      </Panel>
    );
  }
  if (upload.state === 'checking' || upload.state === 'importing') return <ImportProgress upload={upload} />;
  return canEdit ? (
    <ImportResultActions upload={upload} onStartOver={onStartOver} />
  ) : (
    <ImportResult upload={upload} />
  );
}

function ImportProgress({ upload }: { upload: ConsoleImport }) {
  const { id, name, state, progress, summary } = upload;
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
        <ImportFigures summary={summary} />
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
  const words = wordsOf(upload);
  const changes = (upload.summary?.created ?? 0) + (upload.summary?.updated ?? 0);
  return (
    <ImportResult upload={upload}>
      <FormError error={startImport.error ?? discard.error} />
      {upload.state === 'done' || upload.state === 'canceled' ? (
        upload.is_bulk ? null : (
          <Button variant="default" onClick={onStartOver}>
            Upload another file
          </Button>
        )
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

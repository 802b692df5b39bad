import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Upload } from '../../src/console/console-api.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { RowsWaiting } from '../feedback/rows-waiting.tsx';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { Panel } from '../shell/panel.tsx';
import { FormProblem } from '../sign-in/form-problem.tsx';
import { Progress } from './progress.tsx';
import { uploadQuery } from './queries.ts';
import { UploadOutcome } from './upload-outcome.tsx';
import styles from './uploads.module.css';

/** From the check of an uploaded file to its import. */
export function UploadSteps({ id, onAgain }: { id: string; onAgain: () => void }) {
  const { data: upload, error, refetch } = useQuery(uploadQuery(id));
  const isDone = upload?.state === 'done';
  useEffect(() => {
    if (isDone)
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'uploads' });
  }, [isDone]);
  if (upload === undefined) {
    return (
      <Panel flush={error === null}>
        {error === null ? (
          <RowsWaiting rows={3} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()}>
            <Button onClick={onAgain} size="sm">
              Upload a file
            </Button>
          </ErrorState>
        )}
      </Panel>
    );
  }
  if (upload.state === 'failed') {
    return (
      <Panel title={upload.name}>
        <ErrorState error={new Error(upload.failure ?? 'The file could not be read.')}>
          <Button onClick={onAgain} size="sm">
            Upload another file
          </Button>
        </ErrorState>
      </Panel>
    );
  }
  if (upload.state === 'checking' || upload.state === 'importing') {
    return (
      <Panel title={upload.name}>
        <div className={styles.waiting}>
          <Progress
            label={upload.state === 'checking' ? 'Finding out what would change' : 'Importing'}
            share={upload.progress}
          />
          <p className="soft small">It goes on when you leave this page; come back by its address.</p>
        </div>
      </Panel>
    );
  }
  return <Ready upload={upload} onAgain={onAgain} />;
}

function Ready({ upload, onAgain }: { upload: Upload; onAgain: () => void }) {
  const begin = useMutation({
    mutationFn: () => request<Upload>(`uploads/${upload.id}/import`, { method: 'POST', body: {} }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['uploads', upload.id] }),
  });
  const forget = useMutation({
    mutationFn: () => request<void>(`uploads/${upload.id}`, { method: 'DELETE' }),
    onSuccess: onAgain,
  });
  const changes = (upload.summary?.created ?? 0) + (upload.summary?.updated ?? 0);
  return (
    <UploadOutcome upload={upload}>
      <FormProblem error={begin.error ?? forget.error} />
      {upload.state === 'done' ? (
        <Button variant="default" onClick={onAgain}>
          Upload another file
        </Button>
      ) : (
        <>
          <Button onClick={() => begin.mutate()} loading={begin.isPending} disabled={changes === 0}>
            {changes === 0 ? 'Nothing to import' : 'Import'}
          </Button>
          <Button variant="default" onClick={() => forget.mutate()} loading={forget.isPending}>
            Do not import
          </Button>
        </>
      )}
    </UploadOutcome>
  );
}

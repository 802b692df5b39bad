import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { SessionList, SessionSummary } from '../../src/console/console-api.ts';
import { Chip } from '../feedback/chip.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { RowsWaiting } from '../feedback/rows-waiting.tsx';
import { useFormats } from '../format/use-formats.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { Panel } from '../shell/panel.tsx';
import { FormProblem } from '../sign-in/form-problem.tsx';
import styles from './account.module.css';
import { browserName } from './browser-name.ts';
import { sessionsQuery } from './queries.ts';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

/** Where the user is signed in, with a way to end each session. */
export function Sessions() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const ending = useMutation({
    mutationFn: (path: string) => request<SessionList>(path, { method: 'DELETE' }),
    onSuccess: (list) => {
      queryClient.setQueryData(sessionsQuery.queryKey, list);
      notifications.show({ message: 'Session ended.' });
    },
    onError: () => void refetch(),
  });
  const sessions = data?.sessions;
  return (
    <Panel title="Sessions">
      <div className={styles.form}>
        <p className="soft">These are your open sessions. If you do not recognize one, end it.</p>
        {sessions !== undefined ? (
          <ul className={styles.sessions}>
            {sessions.map((session) => (
              <Session
                key={session.id}
                session={session}
                isEnding={ending.isPending && ending.variables === pathOf(session)}
                onEnd={() => ending.mutate(pathOf(session))}
              />
            ))}
          </ul>
        ) : error !== null ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <RowsWaiting rows={1} />
        )}
        <FormProblem error={ending.error} />
        <div className={styles.buttons}>
          {sessions !== undefined && sessions.length > 1 && (
            <Button
              variant="default"
              loading={ending.isPending && ending.variables === 'sessions'}
              onClick={() => ending.mutate('sessions')}
            >
              End all other sessions
            </Button>
          )}
          <SignOutEverywhere />
        </div>
      </div>
    </Panel>
  );
}

function pathOf({ id }: SessionSummary): string {
  return `sessions/${encodeURIComponent(id)}`;
}

function Session({
  session: { user_agent: userAgent, current, created_at: createdAt, last_used_at: lastUsedAt },
  isEnding,
  onEnd,
}: {
  session: SessionSummary;
  isEnding: boolean;
  onEnd: () => void;
}) {
  const { time, ago } = useFormats();
  const name = browserName(userAgent);
  return (
    <li className={styles.session}>
      <span className={styles.browser}>
        <span title={userAgent ?? undefined}>{name}</span>
        <span className="soft small">
          Signed in {time(createdAt)}
          {!current && `, last used ${ago(lastUsedAt)}`}
        </span>
      </span>
      {current ? (
        <Chip tone="good">This session</Chip>
      ) : (
        <Button variant="default" size="compact-sm" loading={isEnding} onClick={onEnd}>
          End session<span className="unseen"> of {name}</span>
        </Button>
      )}
    </li>
  );
}

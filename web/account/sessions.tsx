import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { SessionList, SessionSummary } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { Chip } from '../ui/chip.tsx';
import { FormError } from '../ui/form-error.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './account.module.css';
import { browserName } from './browser-name.ts';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

/** A DELETE request to this path ends all sessions except the current one. */
const ALL_OTHERS = 'sessions';

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request<SessionList>('sessions', { signal }),
});

/** The user's sessions, with buttons to end them. */
export function Sessions() {
  const list = useQuery(sessionsQuery);
  const endSession = useMutation({
    mutationFn: (path: string) => request<SessionList>(path, { method: 'DELETE' }),
    onSuccess: (list, path) => {
      queryClient.setQueryData(sessionsQuery.queryKey, list);
      notifications.show({ message: path === ALL_OTHERS ? 'All other sessions ended.' : 'Session ended.' });
    },
    onError: () => void list.refetch(),
  });
  return (
    <Panel anchor="sessions" title="Sessions">
      <div className={styles.form}>
        <p className="muted">Your active sessions. End any session that you don’t recognize.</p>
        <Loaded query={list} skeleton={1}>
          {({ sessions }) => (
            <ul className={styles.sessions}>
              {sessions.map((session) => (
                <Session
                  key={session.id}
                  session={session}
                  isEnding={endSession.isPending && endSession.variables === pathOf(session)}
                  onEnd={() => endSession.mutate(pathOf(session))}
                />
              ))}
            </ul>
          )}
        </Loaded>
        <FormError error={endSession.error} />
        <div className={styles.buttons}>
          {list.data !== undefined && list.data.sessions.length > 1 && (
            <Button
              variant="default"
              loading={endSession.isPending && endSession.variables === ALL_OTHERS}
              onClick={() => endSession.mutate(ALL_OTHERS)}
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
        <span className="muted small">
          Signed in {time(createdAt)}
          {!current && `, last used ${ago(lastUsedAt)}`}
        </span>
      </span>
      {current ? (
        <Chip tone="good">This session</Chip>
      ) : (
        <Button variant="default" size="compact-sm" loading={isEnding} onClick={onEnd}>
          End session<span className="visually-hidden"> of {name}</span>
        </Button>
      )}
    </li>
  );
}

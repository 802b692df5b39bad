import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What the server's process sends. */
export type Started = { url: string } | { failure: string };

/** A server that was started here; it ends with this process, if it was not stopped before. */
export interface PostgresServer {
  /** A database to begin with, and a user who may make others. */
  url: string;
  stop(): Promise<void>;
}

/** @throws with the reason when it does not start */
export async function startPostgres(): Promise<PostgresServer> {
  // Detached: what interrupts the tests is not to end the server before them.
  const child = fork(join(import.meta.dirname, 'postgres-process.ts'), { detached: true, execArgv: [] });
  const ended = once(child, 'exit');
  const [message] = await Promise.race([once(child, 'message'), ended]);
  const started = (typeof message === 'object' ? message : { failure: 'its process ended' }) as Started;
  if ('failure' in started) {
    throw new Error(
      `PostgreSQL for the tests does not start; TEST_DATABASE_URL can name another server.\n${started.failure}`,
    );
  }
  child.once('message', ({ failure }: { failure: string }) => {
    throw new Error(failure);
  });
  child.unref();
  child.channel?.unref();
  return {
    url: started.url,
    stop: async () => {
      child.ref();
      child.disconnect();
      await ended;
    },
  };
}

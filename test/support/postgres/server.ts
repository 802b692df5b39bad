import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Started = { url: string } | { failure: string };

/** Ends with this process, unless it is stopped before. */
export interface PostgresServer {
  /** The URL of a database, with a user who may create others. */
  url: string;
  stop(): Promise<void>;
}

/** @throws with the reason if it does not start */
export async function startPostgres(): Promise<PostgresServer> {
  // Detached, so that an interrupt of the tests does not end the server before them.
  const child = fork(join(import.meta.dirname, 'process.ts'), { detached: true, execArgv: [] });
  const ended = once(child, 'exit');
  const [message] = await Promise.race([once(child, 'message'), ended]);
  const started = (typeof message === 'object' ? message : { failure: 'its process ended' }) as Started;
  if ('failure' in started) {
    throw new Error(
      `PostgreSQL for the tests did not start; TEST_DATABASE_URL can name another server.\n${started.failure}`,
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

import { DatabaseUnavailable } from '../database.ts';

export class ServerSilent extends DatabaseUnavailable {}

/**
 * Runs work that calls `alive` each time the server responds, which restarts the timeout.
 * @throws {ServerSilent} if the server does not respond for this many milliseconds; `Infinity` never throws
 */
export async function withIdleTimeout<T>(
  milliseconds: number,
  work: (alive: () => void) => Promise<T>,
): Promise<T> {
  if (milliseconds === Number.POSITIVE_INFINITY) return await work(() => {});
  const { promise, reject } = Promise.withResolvers<never>();
  let waiting = true;
  const timer = setTimeout(() => {
    waiting = false;
    reject(new ServerSilent(`the database has not responded for ${milliseconds / 1000} s`));
  }, milliseconds);
  try {
    // A late response must not restart a timer that has already fired.
    return await Promise.race([work(() => void (waiting && timer.refresh())), promise]);
  } finally {
    waiting = false;
    clearTimeout(timer);
  }
}

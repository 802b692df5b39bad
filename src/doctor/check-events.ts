import type { Dialect, Reader } from '../database/database.ts';
import { measureBacklog } from '../event-feed/backlog.ts';
import { isLeaseHeld } from '../event-feed/lease.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Normally, an event is in the feed within a second. */
const MAX_WAIT_SECONDS = 60;

export async function checkEvents(reader: Pick<Reader, 'first'>, dialect: Dialect): Promise<Finding> {
  const found = findingsOf('events');
  const { waiting, oldestSeconds } = await measureBacklog(reader, dialect);
  if (waiting === 0) return found.ok('all in the feed');
  const seconds = oldestSeconds.toFixed(0);
  const message = `${waiting} not in the feed yet, the oldest for ${seconds} s`;
  if (oldestSeconds <= MAX_WAIT_SECONDS) return found.ok(message);
  return (await isLeaseHeld(reader, dialect))
    ? found.problem(message, 'search the log of the service for "events not numbered"')
    : found.warning(`${message}; no process is moving them`, 'start the service');
}

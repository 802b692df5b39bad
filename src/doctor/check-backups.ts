import { readBackupLog } from '../backups/backup-log.ts';
import { describePlace } from '../backups/backup-settings.ts';
import { openBackupStore } from '../backups/backup-store.ts';
import type { Config } from '../config.ts';
import { formatTime } from '../shared/timestamps.ts';
import { type Finding, findingsOf, messageWithoutPeriod } from './finding.ts';

const LIST_TIMEOUT_MS = 10_000;
/** A backup is late when this many times BACKUP_EVERY have passed. */
const LATE = 1.5;
const MISSING = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

const found = findingsOf('backups');

/** Compares the last backup with BACKUP_EVERY. `place` also reads the list of backups from there. */
export async function checkBackups(
  { backups: settings, dataDirectory }: Config,
  now: number,
  { place }: { place: boolean },
): Promise<Finding[]> {
  if (settings === null) return [];
  const { completed, failed } = await readBackupLog(dataDirectory);
  const findings: Finding[] = [];
  const to = describePlace(settings.place);
  if (failed !== null) {
    const message = `the one of ${formatTime(failed.at)} failed: ${failed.reason.replace(/\.$/, '')}`;
    findings.push(found.warning(message, 'the service tries again every five minutes; see its log'));
  }
  const expectedMs = settings.everyMs ?? DAY_MS;
  if (completed !== null) {
    const message = `the newest is of ${formatTime(completed.at)}, ${completed.file}`;
    const ageMs = now - completed.at;
    const advice = 'check that the service is running, and BACKUP_TO, or run "tradepost backup"';
    if (settings.everyMs !== null && ageMs > MISSING * expectedMs)
      findings.push(found.problem(message, advice));
    else if (settings.everyMs !== null && ageMs > LATE * expectedMs)
      findings.push(found.warning(message, advice));
    else findings.push(found.ok(message));
  }
  if (settings.place.kind === 'bucket' && settings.key === null && isPlain(settings.place.bucket.endpoint)) {
    const message = 'BACKUP_S3_ENDPOINT has no TLS, and BACKUP_KEY is not set: others can read backups';
    findings.push(found.warning(message, 'use https://, or set BACKUP_KEY'));
  }
  if (!place) return findings;
  try {
    const stored = await openBackupStore(settings.place, {
      signal: AbortSignal.timeout(LIST_TIMEOUT_MS),
    }).list();
    return [...findings, found.ok(`${stored.length} in ${to}`)];
  } catch (error) {
    const message = `BACKUP_TO (${to}) cannot be read: ${messageWithoutPeriod(error)}`;
    return [...findings, found.problem(message, 'check the settings of backups')];
  }
}

function isPlain(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'http:' && !/^(localhost|127\..*|\[::1\])$/.test(hostname);
}

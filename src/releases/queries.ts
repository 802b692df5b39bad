import { statement, upsertInto } from '../database/statement.ts';

/** The ID of the one row. */
export const ONLY = 1;

export interface ReleaseNoticeRow {
  /** The address that was read. */
  feed: string;
  /** When the last request began, in milliseconds since 1970. */
  checked_at: number;
  /** Failed requests since the last success. */
  failures: number;
  /** Why the last request failed; null if it did not. */
  failure: string | null;
  /** As in `NewestRelease`, of the last success; null before it. */
  version: string | null;
  security: string | null;
  url: string | null;
}

const columns = ['feed', 'checked_at', 'failures', 'failure', 'version', 'security', 'url'] as const;

export const findReleaseNotice = statement<unknown, ReleaseNoticeRow>(
  `SELECT ${columns.join(', ')} FROM release_notices WHERE id = ${ONLY}`,
);

export const upsertReleaseNotice = upsertInto<ReleaseNoticeRow & { id: number }>(
  'release_notices',
  ['id'],
  columns,
  `DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
);

import { type Database, DatabaseUnavailable, type Reader } from '../database/database.ts';
import { messageOf } from '../shared/error-message.ts';
import { VERSION } from '../version.ts';
import { isNewer, type NewestRelease } from './newest-release.ts';
import { findReleaseNotice, ONLY, type ReleaseNoticeRow, upsertReleaseNotice } from './queries.ts';
import { readFeed } from './read-feed.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A release that is newer than this program. */
export interface NewRelease {
  version: string;
  /** The version of this program. */
  installed: string;
  /** Whether it fixes a vulnerability in this program. */
  isSecurity: boolean;
  /** A page that says how to upgrade; null if the feed names none. */
  url: string | null;
}

interface Parts {
  /** The address of RELEASE_FEED. */
  feed: string;
  database: Database;
  /** Milliseconds since 1970. */
  now: () => number;
  onRead(newest: NewestRelease): void;
  onFailed(failure: { feed: string; reason: string }): void;
}

/** Reads RELEASE_FEED once a day. To be called by one process of all that share the database. */
export class ReleaseNotice {
  readonly #parts: Parts;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Does nothing if any process has tried in the last 24 hours. @throws {DatabaseUnavailable} */
  async readIfDue(signal: AbortSignal): Promise<void> {
    const { feed, database, now } = this.#parts;
    if (now() < this.#nextAt) return;
    const last = await findNotice(database, feed);
    if (last !== undefined && Math.abs(now() - last.checked_at) < DAY_MS) {
      this.#nextAt = last.checked_at + DAY_MS;
      return;
    }
    const none = { failures: 0, failure: null, version: null, security: null, url: null };
    const row: ReleaseNoticeRow = { ...none, ...last, feed, checked_at: now() };
    // Before the request, so that a process that dies meanwhile does not cause another one.
    await this.#store(row);
    this.#nextAt = row.checked_at + DAY_MS;
    await this.#read(row, signal);
  }

  async #read(row: ReleaseNoticeRow, signal: AbortSignal): Promise<void> {
    const { feed, onRead, onFailed } = this.#parts;
    try {
      const newest = await readFeed(feed, signal);
      await this.#store({ ...row, ...newest, failures: 0, failure: null });
      onRead(newest);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      if (signal.aborted) return;
      const reason = messageOf(error);
      await this.#store({ ...row, failures: row.failures + 1, failure: reason });
      onFailed({ feed, reason });
    }
  }

  async #store(row: ReleaseNoticeRow): Promise<void> {
    await this.#parts.database.transaction((connection) =>
      connection.run(upsertReleaseNotice, { ...row, id: ONLY }),
    );
  }
}

/** Resolves to what is known from a feed; undefined before its first request, and if `feed` is null. */
export async function findNotice(
  reader: Pick<Reader, 'first'>,
  feed: string | null,
): Promise<ReleaseNoticeRow | undefined> {
  if (feed === null) return undefined;
  const row = await reader.first(findReleaseNotice);
  return row?.feed === feed ? row : undefined;
}

/** Resolves to the release that the operator should know about; null if there is none, or `feed` is null. */
export async function findNewRelease(
  reader: Pick<Reader, 'first'>,
  feed: string | null,
): Promise<NewRelease | null> {
  const notice = await findNotice(reader, feed);
  return notice === undefined ? null : newReleaseIn(notice);
}

/** Returns the release of a notice if it is newer than this program, otherwise null. */
export function newReleaseIn(
  { version, security, url }: Pick<ReleaseNoticeRow, 'version' | 'security' | 'url'>,
  installed = VERSION,
): NewRelease | null {
  if (version === null || !isNewer(version, installed)) return null;
  return { version, installed, isSecurity: security !== null && isNewer(security, installed), url };
}

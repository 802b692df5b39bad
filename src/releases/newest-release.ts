/** The document of RELEASE_FEED cannot be used. The message is for people, without a period. */
export class FeedUnusable extends Error {
  override name = 'FeedUnusable';
}

/** What the document of RELEASE_FEED says. */
export interface NewestRelease {
  /** As in `0.2.0`. */
  version: string;
  /** The newest version that fixes a vulnerability of the versions before it; null if there is none. */
  security: string | null;
  /** The `https://` address of a page that says how to upgrade; null if there is none. */
  url: string | null;
}

const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/;
const MAX_URL_LENGTH = 2_000;

/**
 * Parses the document. Ignores members that it does not know.
 * @throws {FeedUnusable}
 */
export function parseNewestRelease(text: string): NewestRelease {
  const members = membersOf(text);
  const read = (name: string): string | null => {
    const value = members.get(name) ?? null;
    if (value === null || typeof value === 'string') return value;
    throw new FeedUnusable(`"${name}" is not text`);
  };
  const [version, security, url] = [read('version'), read('security'), read('url')];
  if (version === null || !VERSION.test(version)) throw new FeedUnusable('it has no "version" such as 0.2.0');
  if (security !== null && (!VERSION.test(security) || isNewer(security, version)))
    throw new FeedUnusable('"security" is not a version up to the newest one');
  if (url !== null && (URL.parse(url)?.protocol !== 'https:' || url.length > MAX_URL_LENGTH))
    throw new FeedUnusable('"url" is not an https:// address');
  return { version, security, url };
}

/** Whether a version follows another one. Both are as in `0.2.0`. */
export function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0;
}

function membersOf(text: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch (error) {
    throw new FeedUnusable('it is not JSON', { cause: error });
  }
}

import { within } from '../../within.ts';

const MINUTE_MS = 60_000;
/** A share takes this part of the limit from the common count, so that few requests wait for the database. */
const SHARES = 50;
/** Requests wait for a share for so long: many of them would take all the room that others need. */
const PATIENCE_MS = 200;
/** More subjects than this suggest address rotation; reset all counters. */
const MOST_SUBJECTS = 100_000;

/** Adds to a subject's common count in a window (counted from 1970); returns its sum in that window. */
export type AddToCount<Subject> = (subject: Subject, window: number, count: number) => Promise<number>;

/** What this process may still let through of one subject's requests in one window. */
interface Share {
  window: number;
  /** Below 0, so many were let through that no share has paid for. */
  left: number;
  /** Let through, or to be, and not in the common count. */
  unpublished: number;
  /** The common count as it was last told, up to the limit. */
  common: number;
  taking: Promise<void> | undefined;
}

/** What a limit is made of. */
export interface LimitOptions<Subject> {
  /** What its `RateLimit` and `RateLimit-Policy` fields call it. */
  name: string;
  /** The limit in each window; null for none. */
  limit: number | null;
  /** The length of a window in milliseconds: a minute unless given. Windows are counted from 1970. */
  windowMs?: number;
  add: AddToCount<Subject>;
  now: () => number;
  /** Told of a common count that could not be reached; meanwhile this process counts alone. */
  onError: (error: unknown) => void;
}

/**
 * Counts what each subject does in the current window, over all processes on one database: each takes
 * shares of the limit from the common count. The first share of a process is free, and is counted with its
 * second: whoever stays far from a limit costs the database nothing, and where several processes serve one
 * subject, those that it hardly asks may let a share each through that the others do not know of.
 */
export class SharedLimit<Subject = string> {
  readonly #name: string;
  readonly #limit: number | null;
  readonly #add: AddToCount<Subject>;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #windowMs: number;
  readonly #policy: string;
  readonly #shares = new Map<string, Share>();
  #window = 0;

  constructor({ name, limit, windowMs = MINUTE_MS, add, now, onError }: LimitOptions<Subject>) {
    this.#name = name;
    this.#limit = limit;
    this.#add = add;
    this.#now = now;
    this.#onError = onError;
    this.#windowMs = windowMs;
    this.#policy = `"${name}";q=${limit};w=${windowMs / 1000}`;
  }

  /** Counts one if that can be done without asking the database; false, and nothing counted, if not. */
  takeNow(key: string): boolean {
    if (this.#limit === null) return true;
    const share = this.#shareOf(key, this.#limit);
    if (share.left <= 0) return false;
    share.left -= 1;
    return true;
  }

  /**
   * Counts one, after all others that were let through; the seconds to wait if it is one too many, else 0.
   * Where the next share is long in coming, as while the database cannot be written to, it is owed.
   */
  async take(key: string, subject: Subject): Promise<number> {
    while (!this.takeNow(key)) {
      const wait = this.wait(key);
      if (wait > 0) return wait;
      const share = this.#nextShare(key, subject).then(() => 'came');
      if ((await within(PATIENCE_MS, share, 'late')) === 'late') return this.takeLoosely(key, subject);
    }
    return 0;
  }

  /** Counts one and waits for nothing: a few too many may be let through while a share is on its way. */
  takeLoosely(key: string, subject: Subject): number {
    if (this.#limit === null) return 0;
    const share = this.#shareOf(key, this.#limit);
    if (isUsedUp(share, this.#limit)) return this.#secondsLeft(share.window);
    share.left -= 1;
    if (share.left < 0) void this.#nextShare(key, subject);
    return 0;
  }

  /** Takes back one that was counted in this window by `take`, `takeNow` or `takeLoosely`. */
  giveBack(key: string): void {
    if (this.#limit !== null) this.#shareOf(key, this.#limit).left += 1;
  }

  /** The seconds until there may be more, where the limit is known to be reached; else 0. Counts nothing. */
  wait(key: string): number {
    if (this.#limit === null) return 0;
    const share = this.#shareOf(key, this.#limit);
    return isUsedUp(share, this.#limit) ? this.#secondsLeft(share.window) : 0;
  }

  /**
   * The fields that tell a subject of its limit (draft-ietf-httpapi-ratelimit-headers-11), as a flat list
   * of names and values; empty where there is none.
   */
  headers(key: string): string[] {
    if (this.#limit === null) return [];
    const share = this.#shareOf(key, this.#limit);
    const remaining = Math.max(0, remainingOf(share, this.#limit));
    const state = `"${this.#name}";r=${remaining};t=${this.#secondsLeft(share.window)}`;
    return ['ratelimit-policy', this.#policy, 'ratelimit', state];
  }

  #secondsLeft(window: number): number {
    return Math.ceil(((window + 1) * this.#windowMs - this.#now()) / 1000);
  }

  #shareOf(key: string, limit: number): Share {
    const window = Math.floor(this.#now() / this.#windowMs);
    if (window !== this.#window || this.#shares.size >= MOST_SUBJECTS) {
      this.#window = window;
      this.#shares.clear();
    }
    let share = this.#shares.get(key);
    if (share === undefined) {
      const free = Math.floor(limit / SHARES);
      share = { window, left: free, unpublished: free, common: 0, taking: undefined };
      this.#shares.set(key, share);
    }
    return share;
  }

  #nextShare(key: string, subject: Subject): Promise<void> {
    const limit = this.#limit ?? Number.POSITIVE_INFINITY;
    const share = this.#shareOf(key, limit);
    share.taking ??= this.#takeShare(subject, share, limit).finally(() => {
      share.taking = undefined;
    });
    return share.taking;
  }

  async #takeShare(subject: Subject, share: Share, limit: number): Promise<void> {
    const wanted = Math.ceil(limit / SHARES);
    const owed = Math.max(0, -share.left);
    const added = wanted + owed + share.unpublished;
    const common = await this.#add(subject, share.window, added).catch((error) => {
      this.#onError(error);
      return share.common + added;
    });
    const over = Math.max(0, common - limit);
    share.unpublished = 0;
    share.common = Math.min(common, limit);
    share.left += owed + Math.max(0, wanted - over);
  }
}

/** What is left of the limit for all, as far as this process knows. */
function remainingOf({ left, unpublished, common }: Share, limit: number): number {
  return limit - common - unpublished + left;
}

/** Whether the limit is reached, as far as this process knows, and it has nothing left of its share either. */
function isUsedUp(share: Share, limit: number): boolean {
  return share.left <= 0 && remainingOf(share, limit) <= 0;
}

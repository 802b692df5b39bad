import { withTimeout } from '../../shared/timeout.ts';

const MINUTE_MS = 60_000;
/** A share takes this part of the limit from the common count, so that few requests wait for the database. */
const LEASES_PER_LIMIT = 50;
/** Requests wait for a share for so long: many of them would take all the room that others need. */
const LEASE_WAIT_MS = 200;
/** More subjects than this suggest address rotation; reset all counters. */
const MAX_SUBJECTS = 100_000;

/** Adds to a subject's common count in a window (counted from 1970); returns its sum in that window. */
export type AddToCount<Subject> = (subject: Subject, window: number, count: number) => Promise<number>;

/** What this process may still let through of one subject's requests in one window. */
interface Lease {
  window: number;
  /** Below 0, so many were let through that no share has paid for. */
  remaining: number;
  /** Let through, or to be, and not in the common count. */
  unreported: number;
  /** The common count as it was last told, up to the limit. */
  sharedCount: number;
  renewal: Promise<void> | undefined;
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
export class LeasedLimit<Subject = string> {
  readonly #name: string;
  readonly #limit: number | null;
  readonly #add: AddToCount<Subject>;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #windowMs: number;
  readonly #policy: string;
  readonly #leases = new Map<string, Lease>();
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
    const share = this.#leaseOf(key, this.#limit);
    if (share.remaining <= 0) return false;
    share.remaining -= 1;
    return true;
  }

  /**
   * Counts one, after all others that were let through; the seconds to wait if it is one too many, else 0.
   * Where the next share is long in coming, as while the database cannot be written to, it is owed.
   */
  async take(key: string, subject: Subject): Promise<number> {
    while (!this.takeNow(key)) {
      const secondsToWait = this.wait(key);
      if (secondsToWait > 0) return secondsToWait;
      const share = this.#renew(key, subject).then(() => 'came');
      if ((await withTimeout(LEASE_WAIT_MS, share, 'late')) === 'late')
        return this.takeWithoutWaiting(key, subject);
    }
    return 0;
  }

  /** Counts one and waits for nothing: a few too many may be let through while a share is on its way. */
  takeWithoutWaiting(key: string, subject: Subject): number {
    if (this.#limit === null) return 0;
    const share = this.#leaseOf(key, this.#limit);
    if (isUsedUp(share, this.#limit)) return this.#secondsLeft(share.window);
    share.remaining -= 1;
    if (share.remaining < 0) void this.#renew(key, subject);
    return 0;
  }

  /** Takes back one that was counted in this window by `take`, `takeNow` or `takeLoosely`. */
  giveBack(key: string): void {
    if (this.#limit !== null) this.#leaseOf(key, this.#limit).remaining += 1;
  }

  /** The seconds until there may be more, where the limit is known to be reached; else 0. Counts nothing. */
  wait(key: string): number {
    if (this.#limit === null) return 0;
    const share = this.#leaseOf(key, this.#limit);
    return isUsedUp(share, this.#limit) ? this.#secondsLeft(share.window) : 0;
  }

  /**
   * The fields that tell a subject of its limit (draft-ietf-httpapi-ratelimit-headers-11), as a flat list
   * of names and values; empty where there is none.
   */
  headers(key: string): string[] {
    if (this.#limit === null) return [];
    const share = this.#leaseOf(key, this.#limit);
    const remaining = Math.max(0, remainingOf(share, this.#limit));
    const state = `"${this.#name}";r=${remaining};t=${this.#secondsLeft(share.window)}`;
    return ['ratelimit-policy', this.#policy, 'ratelimit', state];
  }

  #secondsLeft(window: number): number {
    return Math.ceil(((window + 1) * this.#windowMs - this.#now()) / 1000);
  }

  #leaseOf(key: string, limit: number): Lease {
    const window = Math.floor(this.#now() / this.#windowMs);
    if (window !== this.#window || this.#leases.size >= MAX_SUBJECTS) {
      this.#window = window;
      this.#leases.clear();
    }
    let share = this.#leases.get(key);
    if (share === undefined) {
      const free = Math.floor(limit / LEASES_PER_LIMIT);
      share = { window, remaining: free, unreported: free, sharedCount: 0, renewal: undefined };
      this.#leases.set(key, share);
    }
    return share;
  }

  #renew(key: string, subject: Subject): Promise<void> {
    const limit = this.#limit ?? Number.POSITIVE_INFINITY;
    const share = this.#leaseOf(key, limit);
    share.renewal ??= this.#requestLease(subject, share, limit).finally(() => {
      share.renewal = undefined;
    });
    return share.renewal;
  }

  async #requestLease(subject: Subject, share: Lease, limit: number): Promise<void> {
    const wanted = Math.ceil(limit / LEASES_PER_LIMIT);
    const owed = Math.max(0, -share.remaining);
    const added = wanted + owed + share.unreported;
    const common = await this.#add(subject, share.window, added).catch((error) => {
      this.#onError(error);
      return share.sharedCount + added;
    });
    const over = Math.max(0, common - limit);
    share.unreported = 0;
    share.sharedCount = Math.min(common, limit);
    share.remaining += owed + Math.max(0, wanted - over);
  }
}

/** What is left of the limit for all, as far as this process knows. */
function remainingOf({ remaining, unreported, sharedCount }: Lease, limit: number): number {
  return limit - sharedCount - unreported + remaining;
}

/** Whether the limit is reached, as far as this process knows, and it has nothing left of its share either. */
function isUsedUp(share: Lease, limit: number): boolean {
  return share.remaining <= 0 && remainingOf(share, limit) <= 0;
}

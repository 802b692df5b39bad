import { type Followed, type MerchantFollower, unread } from './merchant-follower.ts';
import type { MerchantSnapshot } from './merchant-snapshots.ts';

/** Few, so that following other merchants hardly takes longer. */
const AT_ONCE = 3;

interface Load {
  /** As it was before the load began; null if it is only removed. */
  begun: MerchantSnapshot | null;
  merchant: Followed | undefined;
  isCanceled: boolean;
  ended: Promise<void>;
}

interface MerchantLoadsOptions {
  follower: MerchantFollower;
  /** Then loads end soon, and no others begin. */
  isStopping: () => boolean;
  /** Gets the first of several errors in a row. A merchant whose load failed is removed. */
  onError: (error: unknown) => void;
  /** Called when no merchant is waiting, and some were loaded. */
  onLoaded: () => void;
}

/** Loads and removes merchants next to other work, a few at a time. */
export class MerchantLoads {
  readonly #options: MerchantLoadsOptions;
  /** By ID; null if the merchant is to be removed. */
  readonly #waiting = new Map<number, MerchantSnapshot | null>();
  readonly #running = new Map<number, Load>();
  readonly #loaded = new Map<number, Followed>();
  #hasFailed = false;

  constructor(options: MerchantLoadsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#waiting.size + this.#running.size + this.#loaded.size === 0;
  }

  /** The IDs of all merchants that are waiting, being loaded or removed, or loaded. */
  *ids(): Generator<number> {
    yield* this.#waiting.keys();
    yield* this.#running.keys();
    yield* this.#loaded.keys();
  }

  /** Returns a merchant that is being loaded, or that was loaded and not taken. */
  find(merchantId: number): Followed | undefined {
    return this.#running.get(merchantId)?.merchant ?? this.#loaded.get(merchantId);
  }

  /**
   * Loads a merchant from the beginning, unless it is being loaded, or loaded. If it was replaced since that
   * began, the load ends without a result, so call it again later.
   */
  begin(merchant: MerchantSnapshot): void {
    if (this.#loaded.has(merchant.id)) return;
    const load = this.#running.get(merchant.id);
    if (load === undefined) this.#add(merchant.id, merchant);
    else if (load.begun !== null && isReplaced(load.begun, merchant)) load.isCanceled = true;
  }

  remove(merchantId: number): void {
    this.#loaded.delete(merchantId);
    const load = this.#running.get(merchantId);
    if (load === undefined) this.#add(merchantId, null);
    else load.isCanceled = true;
  }

  /** Returns the merchants that have been loaded since the last call. They do not compete yet. */
  takeLoaded(): Followed[] {
    const loaded = [...this.#loaded.values()];
    this.#loaded.clear();
    return loaded;
  }

  /** Resolves when no merchant is waiting, or when the loads in progress have ended after `isStopping`. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #add(merchantId: number, merchant: MerchantSnapshot | null): void {
    this.#waiting.set(merchantId, merchant);
    this.#startNext();
  }

  #startNext(): void {
    for (const [id, begun] of this.#waiting) {
      if (this.#running.size >= AT_ONCE || this.#options.isStopping()) return;
      this.#waiting.delete(id);
      const merchant = begun === null ? undefined : unread(begun);
      const load: Load = { begun, merchant, isCanceled: false, ended: Promise.resolve() };
      this.#running.set(id, load);
      load.ended = this.#run(id, load);
    }
  }

  async #run(id: number, load: Load): Promise<void> {
    const { follower, isStopping, onError, onLoaded } = this.#options;
    const { merchant } = load;
    const isOver = (): boolean => load.isCanceled || isStopping();
    try {
      if (merchant !== undefined) await follower.load(merchant, isOver);
    } catch (error) {
      load.isCanceled = true;
      if (!this.#hasFailed) onError(error);
      this.#hasFailed = true;
    }
    if (merchant === undefined || load.isCanceled) await follower.remove(id);
    else if (!isStopping()) {
      this.#hasFailed = false;
      this.#loaded.set(id, merchant);
    }
    // In the same turn of the event loop, so that a merchant is always either running or loaded.
    this.#running.delete(id);
    this.#startNext();
    if (this.#running.size === 0 && this.#loaded.size > 0) onLoaded();
  }
}

/** Whether a merchant's rows have to be read again: after a restored backup, or a change of its zone. */
export function isReplaced(before: MerchantSnapshot, after: MerchantSnapshot): boolean {
  const isSame = before.currency === after.currency && before.timeZone === after.timeZone;
  return !isSame || before.revision > after.revision;
}

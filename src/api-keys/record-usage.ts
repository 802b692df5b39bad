import type { Connection, Database } from '../database/database.ts';
import { DelayedWrites } from '../shared/delayed-writes.ts';
import { updateLastClient } from './queries.ts';
import type { Caller } from './verify-token.ts';

/** In bytes. */
const MAX_LENGTH = 200;
const WRITE_AFTER_MS = 1_000;
const WRITE_AGAIN_MS = 10_000;
/** The stored time of last use may be older than the actual one by this much. */
const TOLERANCE_MS = 60_000;

interface Use {
  merchantId: number;
  keyId: number;
  erpName: string | null;
  userAgent: string | null;
  /** When it was last queued for writing. */
  usedAt: number;
}

/**
 * Records each key's last client (contract, “Campaign”: `X-ERP-Name` and `User-Agent`). Uses are written a
 * second later, so a crash may lose the most recent ones.
 */
export class KeyUsageRecorder {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #last = new Map<string, Use>();
  #unwritten = new Map<string, Use>();
  readonly #writes = new DelayedWrites(async () => this.#takeAll());

  constructor(database: Database, now: () => number, onError: (error: unknown) => void) {
    this.#database = database;
    this.#now = now;
    this.#onError = onError;
  }

  record(
    { merchantId, keyId, key }: Pick<Caller, 'merchantId' | 'keyId' | 'key'>,
    erpName: string | undefined,
    userAgent: string | undefined,
  ): void {
    const now = this.#now();
    const last = this.#last.get(key);
    if (
      last !== undefined &&
      now - last.usedAt < TOLERANCE_MS &&
      (erpName === undefined || last.erpName === erpName.slice(0, MAX_LENGTH)) &&
      (userAgent === undefined || last.userAgent === userAgent.slice(0, MAX_LENGTH))
    ) {
      return;
    }
    const use: Use = {
      merchantId,
      keyId,
      erpName: erpName?.slice(0, MAX_LENGTH) ?? last?.erpName ?? null,
      userAgent: userAgent?.slice(0, MAX_LENGTH) ?? last?.userAgent ?? null,
      usedAt: now,
    };
    this.#last.set(key, use);
    this.#unwritten.set(key, use);
    this.#writes.planIn(WRITE_AFTER_MS);
  }

  flush(): Promise<void> {
    return this.#writes.flush();
  }

  #takeAll(): (() => Promise<void>)[] {
    const uses = Map.groupBy(this.#unwritten, ([, { merchantId }]) => merchantId);
    this.#unwritten = new Map();
    return [...uses].map(
      ([merchantId, some]) =>
        () =>
          this.#write(merchantId, new Map(some)),
    );
  }

  async #write(merchantId: number, uses: Map<string, Use>): Promise<void> {
    // Every process writes in this order, which prevents deadlocks.
    const sorted = [...uses.values()].sort((one, other) => one.keyId - other.keyId);
    const rows = sorted.map(({ usedAt, erpName, userAgent, keyId }) => ({
      usedAt,
      erpName: asUtf8(erpName),
      userAgent: asUtf8(userAgent),
      merchantId,
      id: keyId,
    }));
    try {
      const work = (connection: Connection): Promise<number> => connection.runEach(updateLastClient, rows);
      await this.#database.transaction(work, { merchantId });
    } catch (error) {
      this.#onError(error);
      this.#unwritten = new Map([...uses, ...this.#unwritten]);
      this.#writes.planIn(WRITE_AGAIN_MS);
    }
  }
}

/** Node decodes headers as Latin-1. Omits a last character that was cut in two. */
function asUtf8(header: string | null): string | null {
  return header === null ? null : new TextDecoder().decode(Buffer.from(header, 'latin1'), { stream: true });
}

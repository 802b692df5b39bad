import { type Database, DatabaseUnavailable } from '../../database/database.ts';
import { findCatalogState } from '../../database/merchant-queries.ts';
import { inParallel } from '../../shared/in-parallel.ts';
import { type MerchantBlock, readMerchants, readRevisions } from './queries.ts';

/** What the database says of a merchant. */
export interface MerchantSnapshot {
  id: number;
  currency: string;
  timeZone: string;
  isActive: boolean;
  /** The catalog's. */
  revision: number;
}

/**
 * The states of all merchants that can be read: while a node of a cluster is away, its merchants are left
 * out. Reading them again takes little time for those that have not changed.
 */
export class MerchantSnapshots {
  readonly #database: Pick<Database, 'all' | 'first'>;
  readonly #merchants = new Map<number, Omit<MerchantSnapshot, 'revision'>>();
  readonly #revisions = new Map<number, number>();
  readonly #merchantTexts = new Map<number, string>();
  readonly #revisionTexts = new Map<number, string>();
  #currencies: ReadonlySet<string> = new Set();

  constructor(database: Pick<Database, 'all' | 'first'>) {
    this.#database = database;
  }

  /** @throws {DatabaseUnavailable} if no merchant can be read */
  async read(): Promise<void> {
    const [merchants, revisions] = await Promise.allSettled([
      this.#database.all(readMerchants),
      this.#database.all(readRevisions),
    ]);
    if (merchants.status === 'rejected') throw merchants.reason;
    const changed = [...changedLines(this.#merchantTexts, merchants.value)];
    for (const [id, currency = '', suspended, timeZone = ''] of changed)
      this.#merchants.set(Number(id), { id: Number(id), currency, timeZone, isActive: suspended === '0' });
    if (changed.length > 0) {
      const active = [...this.#merchants.values()].filter(({ isActive }) => isActive);
      this.#currencies = new Set(active.map(({ currency }) => currency));
    }
    if (revisions.status === 'rejected') {
      await this.#readOneByOne(revisions.reason);
      return;
    }
    for (const [id, revision] of changedLines(this.#revisionTexts, revisions.value))
      this.#revisions.set(Number(id), Number(revision));
  }

  /** Of all active merchants, even if their node is away. */
  get currencies(): ReadonlySet<string> {
    return this.#currencies;
  }

  /** Of the last `read`. */
  *all(): Generator<MerchantSnapshot> {
    for (const [id, merchant] of this.#merchants) {
      const revision = this.#revisions.get(id);
      // A merchant that was created between the two statements has none yet.
      if (revision !== undefined) yield { ...merchant, revision };
    }
  }

  forget(): void {
    this.#merchants.clear();
    this.#merchantTexts.clear();
    this.#forgetRevisions();
  }

  async #readOneByOne(failure: unknown): Promise<void> {
    if (!(failure instanceof DatabaseUnavailable)) throw failure;
    this.#forgetRevisions();
    await inParallel([...this.#merchants.keys()], async (merchantId) => {
      try {
        const state = await this.#database.first(findCatalogState, { merchantId });
        if (state !== undefined) this.#revisions.set(merchantId, state.revision);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
      }
    });
    if (this.#revisions.size === 0) throw failure;
  }

  #forgetRevisions(): void {
    this.#revisions.clear();
    this.#revisionTexts.clear();
  }
}

/** Returns the lines of the blocks whose text is another one than before, split into their values. */
function* changedLines(texts: Map<number, string>, blocks: readonly MerchantBlock[]): Generator<string[]> {
  for (const { block, text } of blocks) {
    if (texts.get(block) === text) continue;
    texts.set(block, text);
    for (const line of text.split(',')) yield line.split(' ');
  }
}

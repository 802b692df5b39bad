import type { Database } from '../../database/database.ts';
import { type MerchantBlock, readMerchants, readRevisions } from './queries.ts';

/** What the database says of a merchant. */
export interface MerchantState {
  id: number;
  currency: string;
  isActive: boolean;
  /** The catalog's. */
  revision: number;
}

/** The states of all merchants. Reading them again takes little time for those that have not changed. */
export class MerchantStates {
  readonly #database: Pick<Database, 'all'>;
  readonly #merchants = new Map<number, Omit<MerchantState, 'revision'>>();
  readonly #revisions = new Map<number, number>();
  readonly #merchantTexts = new Map<number, string>();
  readonly #revisionTexts = new Map<number, string>();

  constructor(database: Pick<Database, 'all'>) {
    this.#database = database;
  }

  async read(): Promise<void> {
    const [merchants, revisions] = await Promise.all([
      this.#database.all(readMerchants),
      this.#database.all(readRevisions),
    ]);
    for (const [id, currency = '', suspended] of changedLines(this.#merchantTexts, merchants))
      this.#merchants.set(Number(id), { id: Number(id), currency, isActive: suspended === '0' });
    for (const [id, revision] of changedLines(this.#revisionTexts, revisions))
      this.#revisions.set(Number(id), Number(revision));
  }

  /** Of the last `read`. */
  *all(): Generator<MerchantState> {
    for (const [id, merchant] of this.#merchants) {
      const revision = this.#revisions.get(id);
      // A merchant that was created between the two statements has none yet.
      if (revision !== undefined) yield { ...merchant, revision };
    }
  }

  forget(): void {
    for (const map of [this.#merchants, this.#revisions, this.#merchantTexts, this.#revisionTexts])
      map.clear();
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

import { setTimeout as pause } from 'node:timers/promises';
import type { Connection, Database } from '../database/database.ts';
import { findMerchant, isCalled } from '../merchants/find-merchant.ts';
import { claimMerchant, type MerchantRow } from '../merchants/queries.ts';
import type { Parsed, Problem, Rejection } from './parsed.ts';
import { rejection } from './refusal.ts';

/** What an import did, or would do. `repeated`: rows whose name came earlier in the file; the later ones won. */
export interface ImportSummary {
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  repeated: number;
}

export interface ImportOptions {
  /** Whose rows these are: one that names another merchant is rejected. Undefined where each row names its merchant. */
  merchant: MerchantRow | undefined;
  /** Only tell what would change. */
  dryRun: boolean;
  /**
   * How to leave room for others: short transactions, and rests in between. What is read next is then not
   * read ahead, so that nothing happens while the source holds the import up.
   */
  pace?: Pace;
  /** Told of each row that is not taken. */
  onRejected(rejections: Rejection[]): void;
  /** Told of each row that replaces an earlier one of the same file. */
  onRepeated(line: number, name: string): void;
}

/** How an import leaves room for others. */
export interface Pace {
  /** Asked when rows were read: whether so many are enough for a transaction, which then follows. */
  isEnough(rows: number): boolean;
  /** How long it rests after a transaction, as a multiple of what the transaction took; a second at most. */
  rest: number;
}

/** What became of one item, in the order of the items. */
export type ItemOutcome =
  | { kind: 'created' | 'updated' | 'unchanged'; repeated: boolean }
  | { kind: 'rejected'; problems: Problem[] };

interface Located<Item> {
  line: number;
  item: Item;
}

/**
 * Rows a transaction. Measured against 500: a third less time, as each page of the indexes is written
 * once for more rows. More would gain little, and keep others from writing for long.
 */
const TRANSACTION_ROWS = 4000;
const MAX_REST_MS = 1_000;

/** So many changed rows make what the engine knows of its tables stale. */
const MANY_ROWS = 10_000;

/** Thrown to undo a transaction whose outcomes are all that was wanted. */
class Undone extends Error {}

/**
 * Writes one merchant's items inside a transaction, which may have to be run again. What became of them,
 * in their order, is asked for once, when it is over.
 */
type Write<Item> = (
  connection: Connection,
  merchant: MerchantRow,
  items: Item[],
) => Promise<() => ItemOutcome[]>;

/**
 * Brings the items of a file in, a batch a transaction: what went in before something fails stays in, and
 * the same file can be imported again. `name` is what an item is told by inside its merchant.
 */
export async function runImport<Item extends { merchant: string | null }>(
  database: Database,
  batches: AsyncIterable<Parsed<Item>[]>,
  options: ImportOptions,
  name: (item: Item) => string,
  write: Write<Item>,
): Promise<ImportSummary> {
  const summary: ImportSummary = { created: 0, updated: 0, unchanged: 0, rejected: 0, repeated: 0 };
  const merchants = new MerchantsByName(database);
  const reject = (rejections: Rejection[]): void => {
    summary.rejected += 1;
    options.onRejected(rejections);
  };
  const { pace } = options;
  const source =
    pace === undefined
      ? readAhead(joined(batches, (rows) => rows >= TRANSACTION_ROWS))
      : joined(batches, (rows) => pace.isEnough(rows));
  for await (const batch of source) {
    const begun = performance.now();
    const groups = new Map<MerchantRow, Located<Item>[]>();
    for (const parsed of batch) {
      if ('rejections' in parsed) {
        reject(parsed.rejections);
        continue;
      }
      const named = parsed.item.merchant;
      const merchant = options.merchant ?? (await merchants.find(named));
      if (merchant === undefined) {
        reject([noMerchant(parsed.line, named)]);
        continue;
      }
      if (options.merchant !== undefined && named !== null && !isCalled(merchant, named)) {
        const reason = `expected ${merchant.name}, its id ${merchant.id}, or blank: the file is this merchant's`;
        reject([rejection(parsed.line, 'merchant', named, reason)]);
        continue;
      }
      const group = groups.get(merchant);
      if (group === undefined) groups.set(merchant, [parsed]);
      else group.push(parsed);
    }
    const outcomes = await writeGroups(database, groups, options.dryRun, write);
    for (const [{ line, item }, outcome] of outcomes) {
      if (outcome.kind === 'rejected') {
        reject(outcome.problems.map(({ column, value, reason }) => rejection(line, column, value, reason)));
        continue;
      }
      summary[outcome.kind] += 1;
      if (outcome.repeated) {
        summary.repeated += 1;
        options.onRepeated(line, name(item));
      }
    }
    if (pace !== undefined) await pause(Math.min((performance.now() - begun) * pace.rest, MAX_REST_MS));
  }
  if (!options.dryRun && summary.created + summary.updated >= MANY_ROWS) await database.settle();
  return summary;
}

/** The same batches, the next one being read while the present one is used: a server works meanwhile. */
async function* readAhead<Batch>(batches: AsyncGenerator<Batch>): AsyncGenerator<Batch> {
  let next = batches.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = batches.next();
      // Where it fails, the next turn tells.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await batches.return(undefined);
  }
}

/** The same items in larger batches; where the source fails, what it gave before still comes out. */
async function* joined<Item>(
  batches: AsyncIterable<Parsed<Item>[]>,
  isEnough: (rows: number) => boolean,
): AsyncGenerator<Parsed<Item>[]> {
  let waiting: Parsed<Item>[] = [];
  let failure: { error: unknown } | undefined;
  try {
    for await (const batch of batches) {
      waiting = waiting.concat(batch);
      if (!isEnough(waiting.length)) continue;
      yield waiting;
      waiting = [];
    }
  } catch (error) {
    failure = { error };
  }
  if (waiting.length > 0) yield waiting;
  if (failure !== undefined) throw failure.error;
}

async function writeGroups<Item>(
  database: Database,
  groups: Map<MerchantRow, Located<Item>[]>,
  dryRun: boolean,
  write: Write<Item>,
): Promise<[Located<Item>, ItemOutcome][]> {
  if (groups.size === 0) return [];
  const written = new Map<Located<Item>[], () => ItemOutcome[]>();
  const work = async (connection: Connection): Promise<void> => {
    for (const [merchant, located] of groups) {
      await connection.run(claimMerchant, [merchant.id]);
      const items = located.map(({ item }) => item);
      written.set(located, await write(connection, merchant, items));
    }
    if (dryRun) throw new Undone();
  };
  try {
    // To claim a merchant that another import is writing to takes as long as that one's transaction.
    await database.transaction(work, { unhurried: true });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return [...written].flatMap(([located, outcomesOf]) => {
    const outcomes = outcomesOf();
    return located.flatMap((item, index): [Located<Item>, ItemOutcome][] => {
      const outcome = outcomes[index];
      return outcome === undefined ? [] : [[item, outcome]];
    });
  });
}

function noMerchant(line: number, value: string | null): Rejection {
  const reason =
    value === null
      ? 'the row names no merchant: give it a merchant column, or give the command --merchant'
      : 'there is no merchant of that id or name';
  return { line, column: 'merchant', value: value ?? '', reason };
}

/** Merchants are few and rows are many: each is looked up once an import. */
class MerchantsByName {
  readonly #database: Database;
  readonly #found = new Map<string, MerchantRow | undefined>();
  readonly #byId = new Map<number, MerchantRow>();

  constructor(database: Database) {
    this.#database = database;
  }

  async find(idOrName: string | null): Promise<MerchantRow | undefined> {
    if (idOrName === null) return undefined;
    if (!this.#found.has(idOrName)) {
      const merchant = await findMerchant({ database: this.#database }, idOrName);
      // One row for a merchant, whichever way it is called: groups go by it.
      const same = merchant && (this.#byId.get(merchant.id) ?? merchant);
      if (same !== undefined) this.#byId.set(same.id, same);
      this.#found.set(idOrName, same);
    }
    return this.#found.get(idOrName);
  }
}

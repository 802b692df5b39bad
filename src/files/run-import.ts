import { setTimeout as pause } from 'node:timers/promises';
import type { Connection, Database } from '../database/database.ts';
import type { TransactionContext } from '../database/write-context.ts';
import type { Problem } from '../errors/domain-error.ts';
import { InvalidValue } from '../shared/invalid-value.ts';
import { joinBatches, readAhead } from './import-batches.ts';
import { type Parsed, type Rejection, rejection, withIdentifier } from './parsed.ts';
import { splitGroups } from './split-groups.ts';

/** The number of items, products or schedules, by outcome; for a dry run, by the expected outcome. */
export interface ImportSummary {
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** How many of the created, updated and unchanged items replaced an earlier item of the same file. */
  repeated: number;
}

export interface ItemMerchants<Merchant extends { id: number }> {
  /** Returns the merchant of an item, or why it has none. `named` is the ID or name in its row, or null. */
  find(named: string | null): Promise<Merchant | InvalidValue>;
  lock(connection: Connection, merchant: Merchant): Promise<void>;
}

export interface ImportOptions<Merchant extends { id: number }> {
  merchants: ItemMerchants<Merchant>;
  /** Returns the sizes of a merchant's stored records in bytes, by name. Without it, they count as small. */
  sizesOf?(merchant: Merchant, names: string[]): Promise<ReadonlyMap<string, number>>;
  /** Whether to roll all changes back. */
  dryRun: boolean;
  /** Leaves time for other work, and does not read ahead: the import uses the CPU only in its turns. */
  throttle?: Throttle;
  /** Leaves time between transactions in which other processes can write. */
  gap?: Gap;
  onRejected(rejections: Rejection[]): void;
  /** Called for each item that replaces an earlier item of the same file. */
  onRepeated(line: number, name: string): void;
  /** Called after each transaction with the counts so far. */
  onCounted?(summary: ImportSummary): void;
}

export interface Throttle {
  /** Whether this many items are enough to be written. Called after each batch is read. */
  isEnough(items: number): boolean;
  /** The most items of the next transaction. */
  maxItems(): number;
  /** Called after a transaction that wrote `items` and held its locks for `ms`, without the commit. */
  onWritten(items: number, ms: number): void;
  /** The length of a pause as a multiple of the transaction before it, up to a second. */
  pauseFactor: number;
}

/** The time between two transactions: a multiple of the transaction before it, and at least `minMs`. */
interface Gap {
  minMs: number;
  factor: number;
}

export type ItemOutcome =
  | { kind: 'created' | 'updated' | 'unchanged'; repeated: boolean }
  | { kind: 'rejected'; problems: Problem[] };

/**
 * Writes one merchant's items inside a transaction, which may be retried. The returned function is called
 * once after it, for the outcomes in the order of the items.
 */
type Write<Item, Merchant> = (
  context: TransactionContext,
  merchant: Merchant,
  items: Item[],
) => Promise<() => ItemOutcome[]>;

interface ImportServices {
  database: Database;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface Located<Item> {
  line: number;
  item: Item;
}

/**
 * With 4,000 items instead of 500, an import takes a third less time, because each index page is written once
 * for more rows. More would block other writers for longer.
 */
const TRANSACTION_ITEMS = 4000;
const MAX_PAUSE_MS = 1_000;
/** After this many changes, the database engine's statistics are stale. */
const MANY_CHANGES = 10_000;

class DryRunRollback extends Error {}

/**
 * Imports the items of a file, in one transaction per batch. After a failure, earlier transactions remain,
 * and the same file can be imported again. `nameOf` returns an item's identifier within its merchant.
 */
export async function runImport<Item extends { merchant: string | null }, Merchant extends { id: number }>(
  services: ImportServices,
  batches: AsyncIterable<Parsed<Item>[]>,
  { merchants, sizesOf, dryRun, throttle, gap, onRejected, onRepeated, onCounted }: ImportOptions<Merchant>,
  nameOf: (item: Item) => string,
  write: Write<Item, Merchant>,
): Promise<ImportSummary> {
  const summary: ImportSummary = { created: 0, updated: 0, unchanged: 0, rejected: 0, repeated: 0 };
  const reject = (rejections: Rejection[]): void => {
    summary.rejected += 1;
    onRejected(rejections);
  };
  const source =
    throttle === undefined
      ? readAhead(joinBatches(batches, (items) => items >= TRANSACTION_ITEMS))
      : joinBatches(batches, (items) => throttle.isEnough(items));
  for await (const batch of source) {
    let startedAt = performance.now();
    const groups = await groupByMerchant(batch, merchants, nameOf, reject);
    const limits = { sizesOf, maxItems: throttle && (() => throttle.maxItems()) };
    for await (const part of splitGroups(groups, ({ item }) => nameOf(item), limits)) {
      const { outcomes, heldMs } = await writeGroups(services, part, { merchants, dryRun, write });
      throttle?.onWritten(outcomes.length, heldMs);
      for (const [{ line, item }, outcome] of outcomes) {
        if (outcome.kind === 'rejected') {
          const rejections = outcome.problems.map(({ field, value, reason }) =>
            rejection(line, field, value, reason),
          );
          reject(withIdentifier(rejections, nameOf(item)));
          continue;
        }
        summary[outcome.kind] += 1;
        if (outcome.repeated) {
          summary.repeated += 1;
          onRepeated(line, nameOf(item));
        }
      }
      onCounted?.({ ...summary });
      if (throttle !== undefined) {
        await pause(Math.min((performance.now() - startedAt) * throttle.pauseFactor, MAX_PAUSE_MS));
      } else if (gap !== undefined) {
        await pause(Math.max(gap.minMs, (performance.now() - startedAt) * gap.factor));
      }
      startedAt = performance.now();
    }
  }
  if (!dryRun && summary.created + summary.updated >= MANY_CHANGES)
    await services.database.updateStatistics();
  return summary;
}

async function groupByMerchant<Item extends { merchant: string | null }, Merchant extends { id: number }>(
  batch: readonly Parsed<Item>[],
  merchants: ItemMerchants<Merchant>,
  nameOf: (item: Item) => string,
  reject: (rejections: Rejection[]) => void,
): Promise<Map<Merchant, Located<Item>[]>> {
  const groups = new Map<Merchant, Located<Item>[]>();
  for (const parsed of batch) {
    if ('rejections' in parsed) {
      reject(parsed.rejections);
      continue;
    }
    const merchant = await merchants.find(parsed.item.merchant);
    if (merchant instanceof InvalidValue) {
      const { line, item } = parsed;
      const rejections = [rejection(line, 'merchant', item.merchant, merchant.reason)];
      reject(withIdentifier(rejections, nameOf(item)));
      continue;
    }
    const group = groups.get(merchant);
    if (group === undefined) groups.set(merchant, [parsed]);
    else group.push(parsed);
  }
  return groups;
}

async function writeGroups<Item, Merchant extends { id: number }>(
  { database, now }: ImportServices,
  groups: ReadonlyMap<Merchant, Located<Item>[]>,
  {
    merchants,
    dryRun,
    write,
  }: Pick<ImportOptions<Merchant>, 'merchants' | 'dryRun'> & { write: Write<Item, Merchant> },
): Promise<{ outcomes: [Located<Item>, ItemOutcome][]; heldMs: number }> {
  if (groups.size === 0) return { outcomes: [], heldMs: 0 };
  let heldMs = 0;
  const written = new Map<Located<Item>[], () => ItemOutcome[]>();
  const work = async (connection: Connection): Promise<void> => {
    let lockedAt: number | undefined;
    for (const [merchant, located] of groups) {
      await merchants.lock(connection, merchant);
      lockedAt ??= performance.now();
      const items = located.map(({ item }) => item);
      const context = { connection, merchantId: merchant.id, now: now() };
      written.set(located, await write(context, merchant, items));
    }
    heldMs = performance.now() - (lockedAt ?? performance.now());
    if (dryRun) throw new DryRunRollback();
  };
  const [first, ...others] = groups.keys();
  const rows = first === undefined || others.length > 0 ? { everyNode: true } : { merchantId: first.id };
  try {
    // Locking a merchant may have to wait for the transaction of another import.
    await database.transaction(work, { longRunning: true, ...rows });
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
  }
  const outcomes = [...written].flatMap(([located, outcomesOf]) => {
    const ofMerchant = outcomesOf();
    return located.flatMap((item, index): [Located<Item>, ItemOutcome][] => {
      const outcome = ofMerchant[index];
      return outcome === undefined ? [] : [[item, outcome]];
    });
  });
  return { outcomes, heldMs };
}

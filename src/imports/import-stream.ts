import type { Readable } from 'node:stream';
import type { Actor } from '../database/actor.ts';
import { type Database, DatabaseUnavailable, DatabaseUnusable } from '../database/database.ts';
import { KeyFileUnusable, UndecryptableValue } from '../encryption/key-file.ts';
import { MonthlyKeys } from '../encryption/monthly-keys.ts';
import { DomainError } from '../errors/domain-error.ts';
import { gunzip } from '../files/gunzip.ts';
import { type Rejection, UnusableFile } from '../files/parsed.ts';
import type { ImportOptions, ImportSummary } from '../files/run-import.ts';
import { streamMerchants } from '../merchants/item-merchants.ts';
import { findMerchantById, type MerchantRow } from '../merchants/queries.ts';
import { CustomerVault } from '../orders/customer/customer-vault.ts';
import { importOrders } from '../orders/push/import-orders.ts';
import { readOrderNdjson } from '../orders/push/read-orders.ts';
import { importFacts } from '../placements/facts/import-facts.ts';
import { readFactNdjson } from '../placements/facts/read-facts.ts';
import { importProducts } from '../products/files/import-products.ts';
import { readProductNdjson } from '../products/files/read-product-ndjson.ts';
import { importSchedules } from '../sales/import-schedules.ts';
import { readScheduleNdjson } from '../sales/read-schedules.ts';

const MAX_REJECTIONS = 1_000;
/** Longer than the interval at which other processes try to lock a SQLite database. */
const GAP = { minMs: 25, factor: 0.05 };

/** Lines of NDJSON that the operator sends for a merchant. */
export interface LineStream {
  merchantId: number;
  kind: 'products' | 'schedules' | 'orders' | 'placements';
  who: Actor;
  isCompressed: boolean;
  lowInventory: number;
  lowBudget: number;
  encryptionKeyFile: string;
  /** How far the service's clock is ahead of this machine's, in milliseconds. */
  clockOffsetMs: number;
}

export interface StreamResult {
  summary: ImportSummary;
  /** The first ones. */
  rejections: Rejection[];
  /** How many more there are. */
  unlisted: number;
}

/** A result or a failure, which can be sent to another process. */
export type StreamOutcome =
  | ({ kind: 'done' } & StreamResult)
  | { kind: 'suspended' }
  | { kind: 'unusable'; reason: string }
  | { kind: 'keyless'; reason: string }
  | { kind: 'failed'; isUnavailable: boolean; error: unknown };

/** Imports a stream's lines. Never rejects. */
export async function importStream(
  opened: Promise<Database>,
  lines: Readable,
  stream: LineStream,
): Promise<StreamOutcome> {
  try {
    return { kind: 'done', ...(await importLines(await opened, lines, stream)) };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'account_suspended') return { kind: 'suspended' };
    // Its message begins with the path of a file, which is empty here.
    if (error instanceof UnusableFile) return { kind: 'unusable', reason: error.message.replace(/^: /, '') };
    if (error instanceof KeyFileUnusable || error instanceof UndecryptableValue)
      return { kind: 'keyless', reason: error.message };
    const isUnavailable = error instanceof DatabaseUnavailable || error instanceof DatabaseUnusable;
    return { kind: 'failed', isUnavailable, error };
  }
}

async function importLines(database: Database, lines: Readable, stream: LineStream): Promise<StreamResult> {
  const { merchantId, kind, who, isCompressed, lowInventory, lowBudget, encryptionKeyFile: file } = stream;
  const rejections: Rejection[] = [];
  let unlisted = 0;
  const merchant = await database.first(findMerchantById, { merchantId });
  if (merchant === undefined) throw new Error(`There is no merchant ${merchantId}.`);
  const options: ImportOptions<MerchantRow> = {
    merchants: streamMerchants(merchant),
    dryRun: false,
    gap: GAP,
    onRejected: (reasons) => {
      const listed = reasons.slice(0, MAX_REJECTIONS - rejections.length);
      rejections.push(...listed);
      unlisted += reasons.length - listed.length;
    },
    onRepeated: () => {},
  };
  const chunks = isCompressed ? gunzip('', lines) : lines;
  const now = (): number => Date.now() + stream.clockOffsetMs;
  const run = async (): Promise<ImportSummary> => {
    if (kind === 'schedules')
      return await importSchedules({ database, now, lowBudget }, readScheduleNdjson(chunks), options);
    if (kind === 'placements')
      return await importFacts({ database, now, lowBudget }, readFactNdjson(chunks), options);
    if (kind === 'orders') {
      const keys = new MonthlyKeys({ file, onCreated: (line) => process.stderr.write(`${line}\n`) });
      const customers = new CustomerVault(keys, database.dialect);
      return await importOrders(
        { database, now, who, customers, lowInventory },
        readOrderNdjson(chunks),
        options,
      );
    }
    const settings = { database, now, who, lowInventory, authority: 'operator' } as const;
    return await importProducts(settings, readProductNdjson(chunks), options);
  };
  const { created, updated, unchanged, rejected, repeated } = await run();
  return { summary: { created, updated, unchanged, rejected, repeated }, rejections, unlisted };
}

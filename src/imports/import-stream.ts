import { getPriority, setPriority } from 'node:os';
import { type Database, DatabaseUnavailable, DatabaseUnusable } from '../../database/database.ts';
import { openDatabase } from '../../database/open-database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { gunzip } from '../../files/gunzip.ts';
import { type Rejection, UnusableFile } from '../../files/parsed.ts';
import type { ImportOptions, ImportSummary } from '../../files/run-import.ts';
import { streamMerchants } from '../../merchants/item-merchants.ts';
import { findMerchantById, type MerchantRow } from '../../merchants/queries.ts';
import { importProducts } from '../../products/files/import-products.ts';
import { readProductNdjson } from '../../products/files/read-product-ndjson.ts';
import { importSchedules } from '../../sales/import-schedules.ts';
import { readScheduleNdjson } from '../../sales/read-schedules.ts';
import type { StreamCommand, StreamReport } from './stream-messages.ts';

const MAX_REJECTIONS = 1_000;
/** Longer than the interval at which other processes try to lock a SQLite database. */
const GAP = { minMs: 25, factor: 0.05 };
/** This process has a lower priority than the server, by this many `nice` levels. */
const LOWER_BY = 10;
const LOWEST = 19;

setPriority(Math.min(getPriority() + LOWER_BY, LOWEST));
// Ctrl-C signals all processes of the terminal, but the server decides when this one stops.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(1));
process.once('message', async (command: StreamCommand) => {
  const report = await run(command).catch(failure);
  process.send?.(report, undefined, undefined, () => process.exit());
});

async function run(command: StreamCommand): Promise<StreamReport> {
  const database = await openDatabase(command.settings, Date.now());
  const rejections: Rejection[] = [];
  let unlisted = 0;
  const onRejected = (reasons: readonly Rejection[]): void => {
    const listed = reasons.slice(0, MAX_REJECTIONS - rejections.length);
    rejections.push(...listed);
    unlisted += reasons.length - listed.length;
  };
  const merchant = await database.first(findMerchantById, { merchantId: command.merchantId });
  if (merchant === undefined) throw new Error(`There is no merchant ${command.merchantId}.`);
  const { created, updated, unchanged, rejected, repeated } = await importLines(database, command, {
    merchants: streamMerchants(merchant),
    dryRun: false,
    gap: GAP,
    onRejected,
    onRepeated: () => {},
  });
  return {
    kind: 'done',
    summary: { created, updated, unchanged, rejected, repeated },
    rejections,
    unlisted,
  };
}

async function importLines(
  database: Database,
  { kind, lowInventory, isCompressed }: StreamCommand,
  options: ImportOptions<MerchantRow>,
): Promise<ImportSummary> {
  const chunks = isCompressed ? gunzip('', process.stdin) : process.stdin;
  const now = Date.now;
  if (kind === 'schedules')
    return await importSchedules({ database, now }, readScheduleNdjson(chunks), options);
  const settings = { database, now, lowInventory, authority: 'operator' } as const;
  return await importProducts(settings, readProductNdjson(chunks), options);
}

function failure(error: unknown): StreamReport {
  if (error instanceof DomainError && error.code === 'account_suspended') return { kind: 'suspended' };
  // Its message begins with the path of a file, which is empty here.
  if (error instanceof UnusableFile) return { kind: 'unusable', reason: error.message.replace(/^: /, '') };
  const isUnavailable = error instanceof DatabaseUnavailable || error instanceof DatabaseUnusable;
  return { kind: 'failed', isUnavailable, error };
}

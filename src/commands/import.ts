import { randomUUIDv7 } from 'node:crypto';
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { OPERATOR } from '../audit/record-audit.ts';
import type { Config } from '../config.ts';
import type { Actor } from '../database/actor.ts';
import type { Database } from '../database/database.ts';
import type { Parsed } from '../files/parsed.ts';
import { RejectsFile } from '../files/rejects-file.ts';
import type { ImportOptions, ImportSummary } from '../files/run-import.ts';
import { itemMerchants } from '../merchants/item-merchants.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import { importOrders } from '../orders/push/import-orders.ts';
import type { OrderDraft } from '../orders/push/order-draft.ts';
import { readOrders } from '../orders/push/read-orders.ts';
import { importProducts } from '../products/files/import-products.ts';
import { readProducts } from '../products/files/read-products.ts';
import type { ProductDraft } from '../products/record/product-draft.ts';
import { importSchedules } from '../sales/import-schedules.ts';
import { readSchedules } from '../sales/read-schedules.ts';
import type { ScheduleDraft } from '../sales/schedule-draft.ts';
import { type Context, createProgressBar, customerVault, requireMerchant, withDatabase } from './context.ts';

interface Options<Format extends string> {
  merchant?: string;
  format?: Format;
  dryRun?: boolean;
  rejects?: string;
  sheet?: string;
  json?: true;
}

interface Source<Item> {
  format: string;
  totalBytes: number;
  ignoredColumns(): string[];
  batches: AsyncIterable<Parsed<Item>[]>;
  close(): Promise<void>;
}

/** Each import of the command line has an ID, by which the history knows its changes. */
function importer(): Actor {
  return { ...OPERATOR, import: randomUUIDv7() };
}

export function importCommand(context: Context): Command {
  const products = fileOptions(new Command('products').description('import a catalog'))
    .addOption(
      new Option('--format <format>', 'file format (default: detected)').choices([
        'csv',
        'ndjson',
        'shopify',
      ]),
    )
    .action((file: string, options: Options<'csv' | 'ndjson' | 'shopify'>) =>
      runFile<ProductDraft>(context, file, options, {
        open: async (onProgress) => {
          const { products: batches, ...opened } = await readProducts(file, {
            format: options.format,
            sheet: options.sheet,
            onProgress,
          });
          return { ...opened, batches };
        },
        run: (database, { lowInventory }, batches, importOptions) =>
          importProducts(
            { database, now: context.now, who: importer(), lowInventory, authority: 'operator' },
            batches,
            importOptions,
          ),
      }),
    );
  const schedules = fileOptions(new Command('schedules').description('import auction results'))
    .addOption(new Option('--format <format>', 'file format (default: detected)').choices(['csv', 'ndjson']))
    .action((file: string, options: Options<'csv' | 'ndjson'>) =>
      runFile<ScheduleDraft>(context, file, options, {
        open: async (onProgress) => {
          const { schedules: batches, ...opened } = await readSchedules(file, {
            format: options.format,
            sheet: options.sheet,
            onProgress,
          });
          return { ...opened, batches };
        },
        run: (database, { lowBudget }, batches, importOptions) =>
          importSchedules({ database, now: context.now, lowBudget }, batches, importOptions),
      }),
    );
  const orders = fileOptions(new Command('orders').description('import orders'))
    .addOption(new Option('--format <format>', 'file format (default: detected)').choices(['csv', 'ndjson']))
    .action((file: string, options: Options<'csv' | 'ndjson'>) =>
      runFile<OrderDraft>(context, file, options, {
        open: async (onProgress) => {
          const { orders: batches, ...opened } = await readOrders(file, {
            format: options.format,
            sheet: options.sheet,
            onProgress,
          });
          return { ...opened, batches };
        },
        run: (database, config, batches, importOptions) => {
          const customers = customerVault(config, database, context.warn);
          const { lowInventory } = config;
          return importOrders(
            { database, now: context.now, who: importer(), customers, lowInventory },
            batches,
            importOptions,
          );
        },
      }),
    );
  return new Command('import')
    .description('import products, schedules or orders from a file')
    .addCommand(products)
    .addCommand(schedules)
    .addCommand(orders);
}

function fileOptions(command: Command): Command {
  return command
    .argument('<file>', 'file to import, plain or gzip, or an Excel workbook (.xlsx)')
    .option('--merchant <id or name>', 'merchant owning these rows (default: each row names its merchant)')
    .option('--sheet <name>', 'sheet of an Excel workbook (default: the first visible one)')
    .option('--dry-run', 'show what would change, without changing it')
    .option('--rejects <file>', 'file for rejected rows (default: FILE.rejects.csv in the current directory)')
    .option('--json', 'print JSON');
}

async function runFile<Item>(
  context: Context,
  file: string,
  { merchant: merchantName, dryRun = false, rejects, json }: Options<string>,
  kind: {
    open(onProgress: (bytes: number) => void): Promise<Source<Item>>;
    run(
      database: Database,
      config: Config,
      batches: AsyncIterable<Parsed<Item>[]>,
      options: ImportOptions<MerchantRow>,
    ): Promise<ImportSummary>;
  },
): Promise<void> {
  await withDatabase(context, async (database, config) => {
    const merchant = merchantName === undefined ? undefined : await requireMerchant(database, merchantName);
    const bar = createProgressBar();
    const rejectsFile = await RejectsFile.open(rejects ?? `${basename(file)}.rejects.csv`);
    let source: Source<Item> | undefined;
    let summary: ImportSummary;
    try {
      source = await kind.open((bytes) => bar.update(bytes));
      const ignored = source.ignoredColumns();
      if (ignored.length > 0) context.warn(`Ignored columns: ${ignored.join(', ')}.`);
      if (process.stderr.isTTY) bar.start(source.totalBytes, 0);
      summary = await kind.run(database, config, source.batches, {
        merchants: itemMerchants(database, merchant),
        dryRun,
        onRejected: (rejections) => rejectsFile.write(rejections),
        onRepeated: (line, name) =>
          context.warn(`Line ${line}: ${name} already occurred in the file. The later row is used.`),
      });
    } finally {
      bar.stop();
      await source?.close();
      await rejectsFile.close();
    }
    const rejectsPath = summary.rejected > 0 ? rejectsFile.path : null;
    report(
      context,
      { format: source.format, dry_run: dryRun, ...summary, rejects_file: rejectsPath },
      json ?? false,
    );
    if (summary.rejected > 0) process.exitCode = 1;
  });
}

function report(
  context: Context,
  result: ImportSummary & { format: string; dry_run: boolean; rejects_file: string | null },
  json: boolean,
): void {
  if (json) {
    context.print(JSON.stringify(result));
    return;
  }
  const { created, updated, unchanged, rejected, repeated, dry_run, rejects_file } = result;
  const prefix = dry_run ? 'Dry run: ' : '';
  context.print(
    `${prefix}${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected.`,
  );
  if (repeated > 0) context.print(`${repeated} occurred more than once in the file. The last row was used.`);
  if (rejects_file !== null) context.print(`See ${rejects_file} for why rows were rejected.`);
}

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import type { Campaign } from '../campaigns/campaign.ts';
import { campaignSchema } from '../campaigns/campaign-schema.ts';
import { exportCampaigns } from '../campaigns/export-campaigns.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { csvLine } from '../files/write-csv.ts';
import { listMerchants } from '../merchants/list-merchants.ts';
import { exportOrders } from '../orders/list/export-orders.ts';
import type { OrderRecord } from '../orders/record/order-record.ts';
import { orderSchema } from '../orders/record/order-schema.ts';
import { exportPlacements } from '../placements/list/export-placements.ts';
import type { PlacementRecord } from '../placements/list/placement-record.ts';
import { placementSchema } from '../placements/placement-schema.ts';
import { exportProducts } from '../products/files/export-products.ts';
import { productCsvHeader, productCsvLines } from '../products/files/write-product-csv.ts';
import { exportSchedules } from '../sales/export-schedules.ts';
import { messageOf } from '../shared/error-message.ts';
import { OutputFile, UnsafeOutput } from '../shared/output-file.ts';
import { CommandError, type Context, customerVault, requireMerchant, withDatabase } from './context.ts';

interface Options {
  customers?: true;
  merchant?: string;
  format: 'csv' | 'ndjson';
  output?: string;
}

interface Kind<Item extends object> {
  list(database: Database, merchantId: number, config: Config, options: Options): AsyncIterable<Item[]>;
  /** `withMerchant` adds the first column `merchant`. */
  csvHeader(withMerchant: boolean): string;
  csvLines(item: Item, merchant: string | undefined): string;
}

export function exportCommand(context: Context): Command {
  return new Command('export')
    .description(
      'export products, schedules, campaigns, placements or orders; products, schedules and orders can be imported again',
    )
    .addCommand(
      exportKind(context, 'products', {
        list: (database, merchantId) => exportProducts({ database }, merchantId),
        csvHeader: productCsvHeader,
        csvLines: productCsvLines,
      }),
    )
    .addCommand(
      exportKind(context, 'schedules', {
        list: (database, merchantId) => exportSchedules({ database }, merchantId),
        ...flatCsv([
          'schedule_id',
          'product_identifier',
          'variation_identifier',
          'scheduled_at',
          'sold',
          'sale_price',
          'rating',
          'order_id',
          'placement_id',
        ]),
      }),
    )
    .addCommand(
      exportKind(context, 'campaigns', {
        list: (database, merchantId) => exportCampaigns({ database, now: context.now }, merchantId),
        ...flatCsv(Object.keys(campaignSchema.properties ?? {}) as (keyof Campaign)[]),
      }),
    )
    .addCommand(
      exportKind(context, 'placements', {
        list: (database, merchantId) => exportPlacements({ database }, merchantId),
        ...flatCsv(Object.keys(placementSchema.properties ?? {}) as (keyof PlacementRecord)[]),
      }),
    )
    .addCommand(
      exportKind(context, 'orders', {
        list: (database, merchantId, config, { customers }) => {
          const services = { database, customers: customerVault(config, database, context.warn) };
          return exportOrders(services, merchantId, customers === true);
        },
        ...flatCsv(orderFields),
      }).option('--customers', 'with the names and addresses of customers'),
    );
}

const orderFields = Object.keys(orderSchema.properties ?? {}) as (keyof OrderRecord)[];

type Value = string | number | boolean | object | null;

/** For records that take one row each. An object is a cell with JSON. */
function flatCsv<Item extends object>(
  columns: (keyof Item & string)[],
): Pick<Kind<{ [Name in keyof Item]: Value }>, 'csvHeader' | 'csvLines'> {
  const cellOf = (value: Value): Exclude<Value, object> | null =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return {
    csvHeader: (withMerchant) => csvLine([...(withMerchant ? ['merchant'] : []), ...columns]),
    csvLines: (item, merchant) =>
      csvLine([...(merchant === undefined ? [] : [merchant]), ...columns.map((name) => cellOf(item[name]))]),
  };
}

function exportKind<Item extends object>(context: Context, name: string, kind: Kind<Item>): Command {
  return new Command(name)
    .description(`export ${name}`)
    .option(
      '--merchant <id or name>',
      'only this merchant (default: all merchants, each row naming its merchant)',
    )
    .addOption(new Option('--format <format>', 'file format').choices(['ndjson', 'csv']).default('ndjson'))
    .option('--output <file>', 'output file (default: standard output)')
    .action(async (options: Options) => {
      const { merchant, format, output } = options;
      await withDatabase(context, async (database, config) => {
        const list = (merchantId: number): AsyncIterable<Item[]> =>
          kind.list(database, merchantId, config, options);
        const merchants =
          merchant === undefined
            ? (await listMerchants({ database })).map(({ id, name }) => ({ id, named: name }))
            : [{ id: (await requireMerchant(database, merchant)).id, named: undefined }];
        const lines = Readable.from(
          format === 'csv' ? csvChunks({ ...kind, list }, merchants) : jsonChunks(list, merchants),
        );
        await write(lines, output);
      });
    });
}

/** `named` is set if each row names its merchant. */
interface Owner {
  id: number;
  named: string | undefined;
}

async function* jsonChunks<Item extends object>(
  list: (merchantId: number) => AsyncIterable<Item[]>,
  merchants: Owner[],
): AsyncGenerator<string> {
  for (const { id, named } of merchants) {
    const owner = named === undefined ? {} : { merchant: named };
    for await (const items of list(id)) {
      yield items.map((item) => `${JSON.stringify({ ...owner, ...item })}\n`).join('');
    }
  }
}

async function* csvChunks<Item extends object>(
  {
    list,
    csvHeader,
    csvLines,
  }: Omit<Kind<Item>, 'list'> & { list: (merchantId: number) => AsyncIterable<Item[]> },
  merchants: Owner[],
): AsyncGenerator<string> {
  yield csvHeader(merchants.some(({ named }) => named !== undefined));
  for (const { id, named } of merchants) {
    for await (const items of list(id)) {
      yield items.map((item) => csvLines(item, named)).join('');
    }
  }
}

async function write(lines: Readable, output: string | undefined): Promise<void> {
  try {
    if (output === undefined) await pipeline(lines, process.stdout, { end: false });
    else await writeFile(lines, output);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // The program that reads standard output has ended.
    if (code === 'EPIPE') return;
    const reason = messageOf(error);
    if (error instanceof UnsafeOutput) {
      throw new CommandError(`--output ${output} cannot be written: it is ${reason}.`);
    }
    if (output !== undefined && typeof code === 'string' && code.startsWith('E')) {
      throw new CommandError(`--output ${output} cannot be written: ${reason}.`);
    }
    throw error;
  }
}

async function writeFile(lines: Readable, path: string): Promise<void> {
  const file = await OutputFile.at(path);
  try {
    await pipeline(lines, file.stream());
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

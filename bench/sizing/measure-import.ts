import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import { itemMerchants } from '../../src/merchants/item-merchants.ts';
import { importProducts } from '../../src/products/files/import-products.ts';
import { readProducts } from '../../src/products/files/read-products.ts';
import { dataRoot, type Engine } from '../engines/engine.ts';
import { generateDrafts } from '../service/build-database.ts';

const PRODUCTS = 20_000;
const directory = join(dataRoot, 'sizing-files');

/** Measures the CPU time per new row, of this process and the database server. */
export async function measureImport(engine: Engine): Promise<{ milliseconds: number; notes: string }> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'products.ndjson');
  const lines = generateDrafts(PRODUCTS, 1).map(
    ({ identifier, variations, fields }) => `${JSON.stringify({ identifier, ...fields, variations })}\n`,
  );
  await pipeline(Readable.from(lines), createWriteStream(file));
  await engine.recreate('sizing_import');
  const now = Date.now;
  const database = await openDatabase(parseConfig(engine.settings('sizing_import')), now());
  const { id } = await createMerchant({ database, now }, { name: 'm1', email: null, timeZone: 'UTC' });
  const merchants = itemMerchants(database, await findMerchant({ database }, String(id)));
  const options = { merchants, dryRun: false, onRejected: () => {}, onRepeated: () => {} };
  const [startCpu, startDatabase] = [process.cpuUsage(), engine.cpuSeconds()];
  const { products } = await readProducts(file);
  const services = { database, now, who: OPERATOR, lowInventory: 5, authority: 'operator' } as const;
  const { created } = await importProducts(services, products, options);
  const { user, system } = process.cpuUsage(startCpu);
  const onServer = (1000 * (engine.cpuSeconds() - startDatabase)) / created;
  const here = (user + system) / 1000 / created;
  await database.close();
  rmSync(directory, { recursive: true });
  await engine.drop('sizing_import');
  return {
    milliseconds: here + onServer,
    notes: `${created} new products with two variations; importing process ${here.toFixed(3)}, database server ${onServer.toFixed(3)}`,
  };
}

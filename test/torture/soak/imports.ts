import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDrafts } from '../../../bench/service/build-database.ts';
import { tradepost } from '../../support/process.ts';
import type { StressedSettings } from '../server.ts';

const PRODUCTS = 1_000;
const PAUSE_MS = 5_000;

/** Imports files until `isOver`. Each import changes every product of the last one. */
export async function importRepeatedly(settings: StressedSettings, isOver: () => boolean): Promise<number> {
  const files = await Promise.all([1, 2].map((price) => writeFileOf(settings.DATA_DIR, price)));
  let imports = 0;
  while (!isOver()) {
    const file = files[imports % files.length] ?? '';
    const command = ['import', 'products', file, '--merchant', 'Acme', '--json'];
    const { status, stderr } = await tradepost(command, settings, { cwd: settings.DATA_DIR });
    if (status !== 0) throw new Error(`an import failed: ${stderr}`);
    imports += 1;
    const next = performance.now() + PAUSE_MS;
    while (!isOver() && performance.now() < next) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return imports;
}

async function writeFileOf(directory: string, price: number): Promise<string> {
  const lines = [...generateDrafts(PRODUCTS, 1)].map(({ identifier }) =>
    JSON.stringify({ identifier, retail_price: price }),
  );
  const file = join(directory, `prices-${price}.ndjson`);
  await writeFile(file, lines.join('\n'));
  return file;
}

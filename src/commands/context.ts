import { pino } from 'pino';
import { type Config, parseConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { MerchantRow } from '../merchants/queries.ts';

/** Something that a command was asked for cannot be done; the message is for the operator. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** What commands run with. */
export interface Context {
  environment: Record<string, string | undefined>;
  now(): number;
  /** Prints a line for people or programs on standard output. */
  print(line: string): void;
  /** Prints a line on standard error. */
  warn(line: string): void;
}

export function readConfig({ environment }: Context): Config {
  return parseConfig(environment);
}

/** Lines of requests are written when there are so many bytes of them, or so many milliseconds after. */
const TOGETHER = { minLength: 4096, periodicFlush: 100 };
const OF_REQUEST = /"msg":"request"\}\n$/;

/**
 * The program's log: JSON lines on standard error. Those of requests are written beside the work, many
 * together, and the last of them at exit; any other is written, with all before it, before the work goes on.
 */
export function openLog(config: Config): ReturnType<typeof pino> {
  const destination = pino.destination({ fd: 2, sync: false, ...TOGETHER });
  const write = (line: string): void => {
    destination.write(line);
    if (!OF_REQUEST.test(line)) destination.flushSync();
  };
  return pino({ level: config.logLevel, base: null }, { write });
}

/** Runs work on the database of the settings, and closes it whatever happens. */
export async function withDatabase<T>(
  context: Context,
  work: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(context);
  const database = await openDatabase(config, context.now(), context.warn);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}

/** @throws {CommandError} where no merchant has that id or name */
export async function requireMerchant(database: Database, idOrName: string): Promise<MerchantRow> {
  const merchant = await findMerchant({ database }, idOrName);
  if (merchant !== undefined) return merchant;
  throw new CommandError(`There is no merchant "${idOrName}": "tradepost merchants list" shows them.`);
}

/** Prints rows as JSON, or as a table with columns as wide as their contents. */
export function printRows(context: Context, rows: object[], json: boolean): void {
  if (json) {
    context.print(JSON.stringify(rows, null, 2));
    return;
  }
  const names = Object.keys(rows[0] ?? {});
  const lines = [
    names,
    ...rows.map((row) => Object.values(row).map((value) => (value === null ? '' : visible(String(value))))),
  ];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    context.print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** Merchants name things as they like; a terminal must not take that for its own commands. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd');
}

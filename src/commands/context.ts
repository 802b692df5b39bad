import { pino } from 'pino';
import { type Config, parseConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import { LogLines } from '../observability/log-lines.ts';

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

const OF_REQUEST = /"msg":"request"\}\n$/;

/**
 * The program's log: JSON lines on standard error, written beside the work, those of requests many together.
 * By hand: pino's own destination waits for ever for a disk that is full, or a pipe that nobody reads.
 */
export function openLog(config: Config): ReturnType<typeof pino> {
  const lines = new LogLines(2);
  const write = (line: string): void => (OF_REQUEST.test(line) ? lines.add(line) : lines.addNow(line));
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

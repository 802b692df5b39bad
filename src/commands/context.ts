import { SingleBar } from 'cli-progress';
import { pino } from 'pino';
import { type Config, parseConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { MonthlyKeys } from '../encryption/monthly-keys.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import { LogLines } from '../observability/log-lines.ts';
import { CustomerVault } from '../orders/customer/customer-vault.ts';

/** An expected failure. The message is for the operator. */
export class CommandError extends Error {
  override name = 'CommandError';
}

export interface Context {
  environment: Record<string, string | undefined>;
  now(): number;
  /** Standard input. */
  openInput(): NodeJS.ReadableStream;
  /** Prints a line on standard output. */
  print(line: string): void;
  /** Prints a line on standard error. */
  warn(line: string): void;
  /** Whether standard output is a terminal. */
  isTerminal: boolean;
}

/** @throws {SettingError} if a setting is invalid */
export function readConfig({ environment }: Context): Config {
  return parseConfig(environment);
}

const REQUEST_LINE = /"msg":"request"\}\n$/;

/**
 * Logs JSON lines to standard error without blocking, lines about requests several at a time. pino's own
 * destination would block forever on a full disk or a pipe without a reader.
 */
export function openLog(config: Config): ReturnType<typeof pino> {
  const lines = new LogLines(2);
  const write = (line: string): void => (REQUEST_LINE.test(line) ? lines.add(line) : lines.addNow(line));
  return pino({ level: config.logLevel, base: null }, { write });
}

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

/** Encrypts and reveals customers of orders, as the service does. */
export function customerVault(
  { encryptionKeyFile: file }: Config,
  { dialect }: Database,
  onCreated: (line: string) => void,
): CustomerVault {
  return new CustomerVault(new MonthlyKeys({ file, onCreated }), dialect);
}

/** @throws {CommandError} if no merchant has this ID or name */
export async function requireMerchant(database: Database, idOrName: string): Promise<MerchantRow> {
  const merchant = await findMerchant({ database }, idOrName);
  if (merchant !== undefined) return merchant;
  throw new CommandError(
    `There is no merchant "${idOrName}". Run "tradepost merchants list" to see all merchants.`,
  );
}

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

/** Writes to standard error, and shows nothing if that is not a terminal. */
export function createProgressBar(): SingleBar {
  return new SingleBar({
    format: '{bar} {percentage} % | {eta_formatted} left',
    stream: process.stderr,
    noTTYOutput: false,
  });
}

/** With invisible characters, merchants' names could control the terminal or deceive. */
function visible(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

import { Command, CommanderError } from 'commander';
import { TokenTaken } from '../api-keys/create-key.ts';
import { SettingError } from '../config.ts';
import { DatabaseUnavailable, DatabaseUnusable } from '../database/database.ts';
import { UnusableFile } from '../imports/parsed.ts';
import { MerchantRefused } from '../merchants/create-merchant.ts';
import { CommandError, type Context } from './context.ts';
import { demoCommand } from './demo.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { keysCommand } from './keys.ts';
import { merchantsCommand } from './merchants.ts';
import { migrateCommand } from './migrate.ts';
import { serveCommand } from './serve.ts';

/** Whose messages are written for operators, and say all there is to say. */
const EXPECTED = [
  CommandError,
  SettingError,
  DatabaseUnavailable,
  DatabaseUnusable,
  MerchantRefused,
  TokenTaken,
  UnusableFile,
];

/** Runs one command line; resolves to the exit status: 0 only if all went well. */
export async function main(
  commandLine: string[],
  environment: Record<string, string | undefined>,
): Promise<number> {
  const context: Context = {
    environment,
    now: Date.now,
    print: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`${line}\n`),
  };
  const program = new Command('tradepost')
    .description('A self-hosted merchant commerce API.')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: false })
    .exitOverride()
    .addCommand(serveCommand(context))
    .addCommand(demoCommand(context))
    .addCommand(migrateCommand(context))
    .addCommand(merchantsCommand(context))
    .addCommand(keysCommand(context))
    .addCommand(importCommand(context))
    .addCommand(exportCommand(context));
  for (const command of everyCommand(program)) command.exitOverride();
  try {
    await program.parseAsync(commandLine, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    const expected = EXPECTED.some((type) => error instanceof type);
    const said =
      error instanceof Error ? (expected ? error.message : (error.stack ?? error.message)) : String(error);
    context.warn(`tradepost: ${said}`);
    return 1;
  }
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

import { Command, CommanderError } from 'commander';
import { TokenTaken } from '../api-keys/create-key.ts';
import { SettingError } from '../config.ts';
import { DatabaseUnavailable, DatabaseUnusable } from '../database/database.ts';
import { UnusableFile } from '../imports/parsed.ts';
import { MerchantRefused } from '../merchants/create-merchant.ts';
import { CommandError, type Context } from './context.ts';

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

/** In the order in which help shows them. Each is loaded only when it is asked for: serving needs none of the rest. */
const commands: Record<string, () => Promise<(context: Context) => Command>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  merchants: async () => (await import('./merchants.ts')).merchantsCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  import: async () => (await import('./import.ts')).importCommand,
  export: async () => (await import('./export.ts')).exportCommand,
};

/** The command of that name alone, or all of them where there is none: for help, and for what to suggest. */
async function chosen(name = ''): Promise<((context: Context) => Command)[]> {
  const only = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return await Promise.all(only === undefined ? Object.values(commands).map((load) => load()) : [only()]);
}

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
    .exitOverride();
  for (const make of await chosen(commandLine[0])) program.addCommand(make(context));
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

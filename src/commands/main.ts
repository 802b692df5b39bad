import { Command, CommanderError } from 'commander';
import { describeVersions } from '../version.ts';
import type { Context } from './context.ts';
import { explain } from './explain.ts';

/** In the order of the help text. Only the requested command is loaded: `serve` needs few modules. */
const commands: Record<string, () => Promise<(context: Context) => Command>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  merchants: async () => (await import('./merchants.ts')).merchantsCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  'operator-keys': async () => (await import('./operator-keys.ts')).operatorKeysCommand,
  operators: async () => (await import('./operators.ts')).operatorsCommand,
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand,
  metadata: async () => (await import('./metadata.ts')).metadataCommand,
  encryption: async () => (await import('./encryption.ts')).encryptionCommand,
  console: async () => (await import('./console.ts')).consoleCommand,
  import: async () => (await import('./import.ts')).importCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  copy: async () => (await import('./copy.ts')).copyCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  'expire-cursors': async () => (await import('./expire-cursors.ts')).expireCursorsCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  health: async () => (await import('./health.ts')).healthCommand,
};

/** Loads all commands if none has this name, for the help text and for suggestions. */
async function loadCommands(name = ''): Promise<((context: Context) => Command)[]> {
  const only = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return await Promise.all(only === undefined ? Object.values(commands).map((load) => load()) : [only()]);
}

/** Gets what a command prints, and has what it reads. */
interface Streams {
  openInput(): NodeJS.ReadableStream;
  writeOut(text: string): void;
  writeErr(text: string): void;
  isTerminal: boolean;
}

const STANDARD: Streams = {
  openInput: () => process.stdin,
  writeOut: (text) => void process.stdout.write(text),
  writeErr: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
};

/** Resolves to the exit status, which is 0 only if the command succeeded. */
export async function main(
  commandLine: string[],
  environment: Record<string, string | undefined>,
  { openInput, writeOut, writeErr, isTerminal }: Streams = STANDARD,
): Promise<number> {
  const context: Context = {
    environment,
    now: Date.now,
    openInput,
    print: (line) => writeOut(`${line}\n`),
    warn: (line) => writeErr(`${line}\n`),
    isTerminal,
  };
  const program = new Command('tradepost')
    .description('A self-hosted merchant commerce API.')
    .version(describeVersions())
    .helpCommand('help [command]')
    .configureHelp({ showGlobalOptions: false })
    .exitOverride();
  for (const create of await loadCommands(commandLine[0])) program.addCommand(create(context));
  if (!Object.hasOwn(commands, commandLine[0] ?? '')) await addCompletion(program);
  for (const command of everyCommand(program)) command.exitOverride().configureOutput({ writeOut, writeErr });
  try {
    await program.parseAsync(commandLine, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    context.warn(`tradepost: ${explain(error)}`);
    return 1;
  }
}

/** Shells also call `tradepost complete` with the words typed so far. Call this after adding all commands. */
async function addCompletion(program: Command): Promise<void> {
  const { default: addCommand } = await import('@bomb.sh/tab/commander');
  addCommand(program);
  program.commands.at(-1)?.description('print a script for a shell that completes command lines');
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

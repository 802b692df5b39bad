import { Command, CommanderError } from 'commander';
import type { Context } from './context.ts';
import { explain } from './explain.ts';

/** In the order in which help shows them. Each is loaded only when it is asked for: serving needs none of the rest. */
const commands: Record<string, () => Promise<(context: Context) => Command>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  merchants: async () => (await import('./merchants.ts')).merchantsCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  console: async () => (await import('./console.ts')).consoleCommand,
  import: async () => (await import('./import.ts')).importCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  copy: async () => (await import('./copy.ts')).copyCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
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
    context.warn(`tradepost: ${explain(error)}`);
    return 1;
  }
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

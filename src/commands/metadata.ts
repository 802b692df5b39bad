import { readFile } from 'node:fs/promises';
import { Argument, Command } from 'commander';
import { OPERATOR } from '../audit/record-audit.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb } from '../database/write-context.ts';
import { type CheckedEntries, checkEntries } from '../metadata/check-entries.ts';
import { readEntries } from '../metadata/entries-parameter.ts';
import { type ListName, listNames } from '../metadata/lists.ts';
import { listStoredLists } from '../metadata/queries.ts';
import { readList } from '../metadata/read-lists.ts';
import { resetList, setList } from '../metadata/set-list.ts';
import { messageOf } from '../shared/error-message.ts';
import { InvalidValue } from '../shared/invalid-value.ts';
import { CommandError, type Context, printRows, withDatabase } from './context.ts';

const operator = { merchantId: OPERATOR_ID, who: OPERATOR };
const listArgument = (): Argument => new Argument('<list>', 'the list').choices(listNames);

export function metadataCommand(context: Context): Command {
  return new Command('metadata')
    .description('show and set the lists that merchants choose from, such as categories')
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(setCommand(context))
    .addCommand(resetCommand(context));
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('show all lists, and which of them have been set')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withDatabase(context, async (database) => {
        const set = new Set((await database.all(listStoredLists)).map(({ name }) => name));
        const rows = listNames.map((list) => ({ list, is_default: !set.has(list) }));
        printRows(context, rows, json);
      });
    });
}

function showCommand(context: Context): Command {
  return new Command('show')
    .description('print a list as JSON')
    .addArgument(listArgument())
    .action(async (name: ListName) => {
      await withDatabase(context, async (database) =>
        context.print(JSON.stringify(JSON.parse((await readList(database, name)).json), null, 2)),
      );
    });
}

function setCommand(context: Context): Command {
  return new Command('set')
    .description('replace a list')
    .addArgument(listArgument())
    .argument('<file>', 'JSON as "show" prints it')
    .action(async (name: ListName, file: string) => {
      const entries = await readFileOf(name, file);
      await withDatabase(context, async (database) =>
        runVerb({ database, now: context.now }, operator, setList, { name, entries }),
      );
      context.print(`Set ${name}: ${entries.count} ${entries.count === 1 ? 'entry' : 'entries'}.`);
    });
}

function resetCommand(context: Context): Command {
  return new Command('reset')
    .description('return a list to its default')
    .addArgument(listArgument())
    .action(async (name: ListName) => {
      await withDatabase(context, async (database) =>
        runVerb({ database, now: context.now }, operator, resetList, { name }),
      );
      context.print(`${name} is the default again.`);
    });
}

/** @throws {CommandError} if the file cannot be read or is not such a list */
async function readFileOf(name: ListName, file: string): Promise<CheckedEntries> {
  const fail = (reason: string): CommandError => new CommandError(`${file}: ${reason}`);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw fail(messageOf(error));
  }
  const sent = parse(text);
  if (sent === undefined) throw fail('expected a JSON array or object');
  const entries = checkEntries(name, sent);
  if (entries instanceof InvalidValue) throw fail(entries.reason);
  return entries;
}

function parse(text: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(text);
  } catch {
    return undefined;
  }
}

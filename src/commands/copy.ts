import { Command } from 'commander';
import { isEqual, type TableResult } from '../copy/compare.ts';
import { copyDatabase, type Progress } from '../copy/copy-database.ts';
import { namingSide, type Side } from '../copy/copy-stopped.ts';
import {
  configuredLocation,
  isSameLocation,
  openSource,
  openTarget,
  parseLocation,
} from '../copy/location.ts';
import { CommandError, type Context, createProgressBar, printRows, readConfig } from './context.ts';

interface Options {
  from?: string;
  to?: string;
  json?: boolean;
}

export function copyCommand(context: Context): Command {
  return new Command('copy')
    .description('copy a whole database into an empty one of either engine')
    .option('--from <database>', 'source: sqlite:FILE or postgres://… (default: the configured database)')
    .option('--to <database>', 'target: sqlite:FILE or postgres://… (default: the configured database)')
    .option('--json', 'print JSON')
    .action(async ({ from, to, json = false }: Options) => {
      const startedAt = performance.now();
      const results = await copy(context, from, to);
      report(context, results, (performance.now() - startedAt) / 1000, json);
      if (!results.every(isEqual)) process.exitCode = 1;
    });
}

async function copy(
  context: Context,
  from: string | undefined,
  to: string | undefined,
): Promise<TableResult[]> {
  if (from === undefined && to === undefined) {
    throw new CommandError(
      '--from and --to are both missing. Only one of them can default to the configured database.',
    );
  }
  const config = readConfig(context);
  const locate = (side: Side, text: string | undefined) =>
    namingSide(side, () => (text === undefined ? configuredLocation(config) : parseLocation(text)));
  const [one, other] = [await locate('--from', from), await locate('--to', to)];
  if (isSameLocation(one, other)) throw new CommandError('--from and --to name the same database.');

  const waiting = { waitMs: config.databaseWaitMs, onWaiting: context.warn };
  const source = await namingSide('--from', () => openSource(one, waiting));
  try {
    const target = await namingSide('--to', () => openTarget(other, waiting));
    const { progress, stop } = showProgress(context);
    try {
      return await copyDatabase(source, target, { now: context.now(), progress });
    } finally {
      stop();
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function showProgress(context: Context): { progress: Progress; stop: () => void } {
  const bar = createProgressBar();
  const isTerminal = process.stderr.isTTY;
  return {
    progress: {
      onBegin: (rows) => isTerminal && bar.start(rows, 0),
      onRows: (rows) => bar.increment(rows),
      onTable: ({ table, source }) => {
        if (!isTerminal) context.warn(`${table.name}: ${source.rows} rows.`);
      },
    },
    stop: () => bar.stop(),
  };
}

function report(context: Context, results: TableResult[], seconds: number, json: boolean): void {
  const equal = results.every(isEqual);
  const rows = results.reduce((total, { source }) => total + source.rows, 0);
  if (json) {
    const tables = results.map((result) => ({ ...result, table: result.table.name, equal: isEqual(result) }));
    context.print(JSON.stringify({ equal, rows, seconds: Number(seconds.toFixed(1)), tables }));
    return;
  }
  const lines = results.map((result) => ({
    table: result.table.name,
    rows: result.source.rows,
    copied: result.target.rows,
    checksum: result.source.checksum.slice(0, 16),
    equal: isEqual(result) ? 'yes' : 'no',
  }));
  printRows(context, lines, false);
  context.print(
    equal
      ? `The copy is complete: ${rows} rows in ${seconds.toFixed(1)} s.`
      : 'The copy differs from its source because another program writes to it. Stop that program, empty the target database, and copy again.',
  );
}

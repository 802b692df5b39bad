import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../engines/engine.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { inTurns } from '../measuring/rounds.ts';
import { type Command, serve, sources } from '../service/servers.ts';

const ROUNDS = 15;
const executable = join(import.meta.dirname, '..', '..', 'dist', `tradepost-linux-${process.arch}`);

/** Measures the time from start to first response, of a release's executable and of the sources. */
export async function start(engine: Engine): Promise<Figure[]> {
  if (!existsSync(executable)) throw new Error('There is no executable: run "npm run release" first.');
  await engine.recreate('start');
  const settings = engine.settings('start');
  const readyAfter = (command: Command) => async (): Promise<number> => {
    await using server = await serve(settings, {}, command);
    return server.readyAfter;
  };
  const commands = { executable: readyAfter([executable]), sources: readyAfter(sources) };
  // Not recorded: creates the schema and the certificate.
  for (const run of Object.values(commands)) await run();
  const times = await inTurns(commands, ROUNDS);
  return [
    {
      name: 'executable: milliseconds from start to first response',
      ...measured(times.executable),
      bound: { atMost: 500 },
      notes: `the sources: ${measured(times.sources).median.toFixed(0)} ms`,
    },
    {
      name: 'executable ÷ sources',
      ...measured(times.executable.map((time, round) => time / (times.sources[round] ?? time))),
      bound: null,
      notes: '',
    },
  ];
}

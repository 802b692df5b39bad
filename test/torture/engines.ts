import type { Figure } from '../../bench/measuring/figures.ts';
import { choose } from '../../bench/measuring/report.ts';
import { newDatabaseName } from '../support/postgres/administration.ts';
import { createOnNodes, dropOnNodes, nodesOf } from '../support/postgres/citus-nodes.ts';
import { startPostgres } from '../support/postgres/server.ts';
import type { Owner } from '../support/process.ts';
import type { Extent } from './scenario.ts';

const engineNames = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof engineNames)[number];

/** Runs a part on each chosen engine. Resolves to all figures. What `run` owns ends with it. */
export async function onEachEngine(
  { engines }: Extent,
  run: (engine: EngineName, t: Owner) => Promise<Figure[]>,
): Promise<Figure[]> {
  const known = Object.fromEntries(engineNames.map((name) => [name, 0])) as Record<EngineName, number>;
  const figures: Figure[] = [];
  for (const engine of choose('engine', engines ?? [], known)) {
    await using owned = new AsyncDisposableStack();
    const owner = { after: (cleanup: () => unknown) => owned.defer(async () => void (await cleanup())) };
    figures.push(...(await run(engine, owner)));
  }
  return figures;
}

export async function createDatabase(t: Owner): Promise<string> {
  const { TEST_DATABASE_URL: configured } = process.env;
  let server = configured;
  if (server === undefined) {
    const own = await startPostgres();
    t.after(() => own.stop());
    server = own.url;
  }
  const name = newDatabaseName('test');
  if (configured !== undefined) t.after(() => dropOnNodes(nodesOf(configured), name));
  return await createOnNodes(nodesOf(server), name, "ENCODING 'UTF8' TEMPLATE template0");
}

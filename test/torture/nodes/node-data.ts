import { debianBinaries } from '../../support/postgres/binaries.ts';
import { type PostgresPair, startPair } from '../../support/postgres/pair.ts';
import { type Owner, temporaryDirectory } from '../../support/process.ts';
import { createDatabase, type EngineName } from '../engines.ts';
import type { StressedSettings } from '../server.ts';

/** What nodes have in common. */
export interface NodeData {
  settings: StressedSettings;
  /** Undefined without a standby. */
  pair: PostgresPair | undefined;
}

/** Whether the tests run on a cluster of PostgreSQL servers, which has no standbys. */
export const isClusterGiven = (): boolean => process.env.TEST_CITUS_WORKERS !== undefined;

/** Creates an empty database. PostgreSQL has a standby if its own tools are installed. */
export async function createNodeData(engine: EngineName, t: Owner): Promise<NodeData> {
  const DATA_DIR = await temporaryDirectory(t);
  if (engine === 'sqlite') return { settings: { DATA_DIR, DATABASE_URL: '' }, pair: undefined };
  const bin = isClusterGiven() ? undefined : await debianBinaries();
  const pair = bin === undefined ? undefined : await startPair(t, bin);
  return { settings: { DATA_DIR, DATABASE_URL: pair?.url ?? (await createDatabase(t)) }, pair };
}

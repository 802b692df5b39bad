import { type Owner, temporaryDirectory } from '../../support/process.ts';
import { onDatabase } from '../../support/stored.ts';
import { createDatabase, type EngineName } from '../engines.ts';
import type { StressedSettings } from '../server.ts';
import { fill, type Sizes } from './merchants.ts';

/** The database has all merchants, and is removed with its owner. */
export async function filledDatabase(t: Owner, engine: EngineName, sizes: Sizes): Promise<StressedSettings> {
  const settings = {
    DATA_DIR: await temporaryDirectory(t),
    DATABASE_URL: engine === 'sqlite' ? '' : await createDatabase(t),
  };
  await onDatabase(settings, (database) => fill(database, settings, sizes));
  return settings;
}

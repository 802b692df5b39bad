import { describe } from 'node:test';
import { createDatabase, createMigratedDatabase } from './postgres/databases.ts';

/** A database engine that the service runs on. */
export interface Engine {
  name: string;
  /** The settings that make the service use it, for a database of its own. If it must be `empty`, it has no tables. */
  environment(options?: { empty?: boolean }): Promise<Record<string, string>>;
}

/** A file in the service's data directory. */
export const sqlite: Engine = { name: 'sqlite', environment: async () => ({}) };

/** A new database on a running PostgreSQL server. */
export const postgres: Engine = {
  name: 'postgres',
  environment: async ({ empty = false } = {}) => ({
    DATABASE_URL: empty ? await createDatabase() : await createMigratedDatabase(),
  }),
};

/** The engines that the tests run on: both, or those in TEST_ENGINES, which `npm run check` sets. */
const engines = [sqlite, postgres].filter(({ name }) => (process.env.TEST_ENGINES ?? name).includes(name));

/** Runs a file's tests once on each engine. */
export function forEachEngine(tests: (engine: Engine) => void): void {
  for (const engine of engines) describe(`on ${engine.name}`, () => tests(engine));
}

import { describe } from 'node:test';
import { createDatabase, createMigratedDatabase } from './postgres/databases.ts';

export interface Engine {
  name: string;
  /** The settings of a database of its own, without tables if it must be `empty`. */
  environment(options?: { empty?: boolean }): Promise<Record<string, string>>;
}

export const sqlite: Engine = { name: 'sqlite', environment: async () => ({}) };

export const postgres: Engine = {
  name: 'postgres',
  environment: async ({ empty = false } = {}) => ({
    DATABASE_URL: empty ? await createDatabase() : await createMigratedDatabase(),
  }),
};

/** Both, or those in TEST_ENGINES, which `npm run check` sets. */
const engines = [sqlite, postgres].filter(({ name }) => (process.env.TEST_ENGINES ?? name).includes(name));

export function forEachEngine(tests: (engine: Engine) => void): void {
  for (const engine of engines) describe(`on ${engine.name}`, () => tests(engine));
}

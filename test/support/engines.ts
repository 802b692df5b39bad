import { describe } from 'node:test';

/** A database engine that the service runs on. */
export interface Engine {
  name: string;
  /** The settings that make the service use it, for a database of its own. */
  environment(): Promise<Record<string, string>>;
}

const sqlite: Engine = { name: 'sqlite', environment: async () => ({}) };

/** Every engine that storage is tested on. */
const engines: Engine[] = [sqlite];

/** Runs a file's tests once on each engine. */
export function forEachEngine(tests: (engine: Engine) => void): void {
  for (const engine of engines) describe(`on ${engine.name}`, () => tests(engine));
}

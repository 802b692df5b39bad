import type { Verb } from './database/write-context.ts';

/** The verbs that the writer thread of SQLite runs, by the names that messages to it have. */
export const writerVerbs: Readonly<Record<string, Verb>> = {};

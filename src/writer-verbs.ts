import type { ThreadVerbs } from './database/sqlite/write-server.ts';

/** The verbs that the writer thread of SQLite runs, by the names that messages to it have. */
export const writerVerbs: ThreadVerbs = {};

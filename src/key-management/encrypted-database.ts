import type { Database } from '../database/database.ts';

/** A database, and the file with the keys that encrypt values of it. */
export interface EncryptedDatabase {
  database: Database;
  file: string;
}

// A separate process: holds the write lock of a database file until it receives a message.
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(process.argv[2] ?? '', { timeout: 10_000 });
database.exec('BEGIN IMMEDIATE');
process.send?.('held');
process.on('message', () => {
  database.exec('COMMIT');
  database.close();
  process.exit();
});

// The writer thread of SQLite: runs verbs and statements that write, so that neither blocks the event loop of
// the server.
import { parentPort, workerData } from 'node:worker_threads';
import { WriterServer } from './database/sqlite/writer-server.ts';
import { writerVerbs } from './writer-verbs.ts';

if (parentPort !== null) new WriterServer(parentPort, workerData, writerVerbs);

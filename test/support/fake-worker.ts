/**
 * A worker process that only says that it serves, and how it is. The first `FIRST` workers of a test found the port
 * 1111; later ones find 2222, unless `PORT` says which one to take. Workers whose numbers are in `TROUBLED` are not
 * ready.
 */
import cluster from 'node:cluster';
import { respondToPrimary } from '../../src/workers/requests.ts';
import type { StartReport } from '../../src/workers/worker-process.ts';

const { worker } = cluster;
if (worker === undefined) throw new Error('this file is for worker processes');
const { PORT, FIRST, TROUBLED = '' } = process.env;
const isTroubled = TROUBLED.split(',').includes(String(worker.id));

respondToPrimary(worker, {
  unreadyReason: async () => (isTroubled ? 'The database cannot be used.' : null),
  metrics: async () => [],
});
worker.on('disconnect', () => process.exit());
const report: StartReport = {
  serving: `https://127.0.0.1:${PORT ?? (worker.id <= Number(FIRST) ? 1111 : 2222)}`,
};
worker.send(report);

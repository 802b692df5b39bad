/**
 * A worker that only reports that it serves, and whether it is ready. A test's first `FIRST` workers report
 * port 1111, and later ones 2222, unless `PORT` is set. Workers whose numbers are in `UNREADY` are not ready.
 */
import cluster from 'node:cluster';
import { respondToPrimary } from '../../src/workers/requests.ts';
import type { StartReport } from '../../src/workers/worker-process.ts';

const { worker } = cluster;
if (worker === undefined) throw new Error('this file is for worker processes');
const { PORT, FIRST, UNREADY = '' } = process.env;
const isUnready = UNREADY.split(',').includes(String(worker.id));

respondToPrimary(worker, {
  unreadyReason: async () => (isUnready ? 'The database cannot be used.' : null),
  metrics: async () => [],
});
worker.on('disconnect', () => process.exit());
const report: StartReport = {
  serving: `https://127.0.0.1:${PORT ?? (worker.id <= Number(FIRST) ? 1111 : 2222)}`,
};
worker.send(report);

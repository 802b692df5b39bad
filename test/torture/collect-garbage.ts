// Preloaded into a server: on SIGUSR2, it collects garbage and reports the memory usage.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
process.on('SIGUSR2', () => {
  if (typeof collect !== 'function') throw new Error('gc is not available');
  collect();
  collect();
  process.stderr.write(`${JSON.stringify({ level: 0, collected: process.memoryUsage() })}\n`);
});

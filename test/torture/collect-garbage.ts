// Loaded into a server before its program: at a signal it collects what nobody holds any more, and says so.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
process.on('SIGUSR2', () => {
  if (typeof collect !== 'function') throw new Error('garbage cannot be collected');
  collect();
  collect();
  process.stderr.write(`${JSON.stringify({ level: 0, collected: process.memoryUsage() })}\n`);
});

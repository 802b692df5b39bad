import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';

const MB = 1024 * 1024;
/** What a process takes at rest, with its caches full, and what imports and the system need besides. */
const WORKER_BYTES = 128 * MB;
const BASE_BYTES = 256 * MB;
/** Each connection is an open file. */
const ENOUGH_FILES = 4_096;

/** What the machine grants a process that is started as this one is. */
export async function checkMachine({ workers }: Config): Promise<Finding[]> {
  return [checkMemory(workers), await checkOpenFiles()];
}

function checkMemory(workers: number): Finding {
  const found = findingsOf('memory');
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const wanted = BASE_BYTES + workers * WORKER_BYTES;
  const message = `${Math.floor(bytes / MB)} MB for ${workers} serving ${workers === 1 ? 'process' : 'processes'}`;
  if (bytes >= wanted) return found.ok(message);
  return found.warning(message, `give it ${wanted / MB} MB, or set WORKERS to fewer`);
}

async function checkOpenFiles(): Promise<Finding> {
  const found = findingsOf('open files');
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, limit] = /^Max open files +(\S+)/m.exec(limits) ?? [];
  if (limit === undefined) return found.ok('this system does not tell how many there may be');
  const count = limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
  if (count >= ENOUGH_FILES) return found.ok(`up to ${limit}`);
  return found.warning(
    `only ${limit}: connections beyond some ${count - 100} are refused`,
    `raise it to ${ENOUGH_FILES} (ulimit -n, LimitNOFILE=)`,
  );
}

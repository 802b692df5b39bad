import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';

const MB = 1024 * 1024;
/** For a serving process with full caches, and for imports and the system. */
const WORKER_BYTES = 128 * MB;
const BASE_BYTES = 256 * MB;
/** Each connection is an open file. */
const MIN_OPEN_FILES = 4_096;

export async function checkMachine({ workers }: Config): Promise<Finding[]> {
  return [checkMemory(workers), await checkOpenFiles()];
}

function checkMemory(workers: number): Finding {
  const found = findingsOf('memory');
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const needed = BASE_BYTES + workers * WORKER_BYTES;
  const message = `${Math.floor(bytes / MB)} MB for ${workers} serving ${workers === 1 ? 'process' : 'processes'}`;
  if (bytes >= needed) return found.ok(message);
  return found.warning(message, `provide ${needed / MB} MB, or reduce WORKERS`);
}

async function checkOpenFiles(): Promise<Finding> {
  const found = findingsOf('open files');
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, limit] = /^Max open files +(\S+)/m.exec(limits) ?? [];
  if (limit === undefined) return found.ok('this system does not report the limit');
  const count = limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
  if (count >= MIN_OPEN_FILES) return found.ok(`up to ${limit}`);
  return found.warning(
    `only ${limit}, so connections beyond about ${count - 100} fail`,
    `raise it to ${MIN_OPEN_FILES} (ulimit -n, LimitNOFILE=)`,
  );
}

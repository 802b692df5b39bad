import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** With `taskset` (util-linux), so that a load generator does not slow down the server. */
export function pinToCores(...pids: number[]): boolean {
  if (availableParallelism() < pids.length) return false;
  try {
    for (const [core, pid] of pids.entries()) {
      execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], {
        stdio: 'ignore',
      });
    }
    return true;
  } catch {
    return false;
  }
}

import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Keeps each process to a core of its own, so that a load generator does not take from what it loads (taskset,
 * of Debian's package util-linux). False where that cannot be had.
 */
export function pin(...pids: number[]): boolean {
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

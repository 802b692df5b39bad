import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

interface Process {
  parent: number;
  ticks: number;
}

/** Returns the CPU time that a process and its descendants have used, in seconds (Linux). */
export function cpuSecondsOf(root: number): number {
  const processes = new Map<number, Process>();
  for (const entry of readdirSync('/proc')) {
    const found = /^\d+$/.test(entry) ? readProcess(entry) : undefined;
    if (found !== undefined) processes.set(Number(entry), found);
  }
  let ticks = 0;
  for (const [pid, { ticks: own }] of processes) {
    if (descends(processes, pid, root)) ticks += own;
  }
  return ticks / TICKS_PER_SECOND;
}

/** Returns undefined for a process that has just ended. Its time then counts for its parent. */
function readProcess(pid: string): Process | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may contain any character. After it come the parent and, later, the user and system time
  // of the process and of its ended children.
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = rest.slice(9, 13).reduce((sum, value) => sum + Number(value), 0);
  return { parent: Number(parent), ticks };
}

function descends(processes: Map<number, Process>, pid: number, root: number): boolean {
  for (let at: number | undefined = pid; at !== undefined; at = processes.get(at)?.parent) {
    if (at === root) return true;
  }
  return false;
}

import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const PAGES_PER_MB = 256;

interface Process {
  parent: number;
  ticks: number;
  /** Pages of resident memory. */
  pages: number;
}

/** Includes descendants (Linux). */
export function cpuSecondsOf(root: number): number {
  return family(root).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND;
}

/** In MB. Includes descendants (Linux). */
export function residentOf(root: number): number {
  return family(root).reduce((sum, { pages }) => sum + pages, 0) / PAGES_PER_MB;
}

function family(root: number): Process[] {
  const processes = new Map<number, Process>();
  for (const entry of readdirSync('/proc')) {
    const found = /^\d+$/.test(entry) ? readProcess(entry) : undefined;
    if (found !== undefined) processes.set(Number(entry), found);
  }
  return [...processes].filter(([pid]) => descends(processes, pid, root)).map(([, found]) => found);
}

/** Undefined for a process that has just ended: its time then counts for its parent. */
function readProcess(pid: string): Process | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may contain any character. After it come the parent and, later, user and system
  // time of the process and its ended children.
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = rest.slice(9, 13).reduce((sum, value) => sum + Number(value), 0);
  return { parent: Number(parent), ticks, pages: Number(rest[19]) };
}

function descends(processes: Map<number, Process>, pid: number, root: number): boolean {
  for (let at: number | undefined = pid; at !== undefined; at = processes.get(at)?.parent) {
    if (at === root) return true;
  }
  return false;
}

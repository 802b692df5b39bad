import assert from 'node:assert/strict';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from './process.ts';

/** The ids of the worker processes that have begun to listen, ended ones too, in that order. */
export function workersOf({ log }: ServerProcess): number[] {
  return log.lines.filter((line) => line.includes('"listening"')).map((line) => JSON.parse(line).pid);
}

/** How many of the service's connections a process has. */
export async function connectionsOf(pid: number, { baseUrl }: ServerProcess): Promise<number> {
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1);
  const port = Number(baseUrl.port).toString(16).toUpperCase().padStart(4, '0');
  const sockets = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === '01')
    .map((columns) => `socket:[${columns[9]}]`);
  const files = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
  return links.filter((link) => sockets.includes(link)).length;
}

/** Resolves once none of the processes runs. @throws where one still does after so long */
export async function allEnded(pids: number[], withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (const pid of pids) {
    while (await isRunning(pid)) {
      assert.ok(performance.now() < deadline, `process ${pid} still runs`);
      await pause(20);
    }
  }
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    // One that has ended stays listed as a zombie until its parent takes note.
    return !/^\d+ \(.*\) Z/.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

import { readdir, readFile, readlink } from 'node:fs/promises';
import type { ServerProcess } from './process.ts';
import { until } from './until.ts';

/** All workers that have listened, including ended ones, in order. */
export function workersOf({ log }: ServerProcess): number[] {
  return log.lines.filter((line) => line.includes('"listening"')).map((line) => JSON.parse(line).pid);
}

export async function connectionsOf(
  pid: number,
  { baseUrl }: Pick<ServerProcess, 'baseUrl'>,
): Promise<number> {
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

/** @throws if one still runs after `timeoutMs` */
export async function allEnded(pids: number[], timeoutMs: number): Promise<void> {
  await Promise.all(
    pids.map((pid) =>
      until(async () => !(await isRunning(pid)), { timeoutMs, message: `process ${pid} still runs` }),
    ),
  );
}

export async function killAll(pids: number[]): Promise<void> {
  for (const pid of pids) if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
}

/** An ended process is not, even if its parent has not read its status yet. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    return !/^\d+ \(.*\) Z/.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

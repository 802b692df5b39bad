import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import cluster from 'node:cluster';
import { extname } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** The module that the single executable runs if `startProcess` starts it with this name. */
export const IMPORT_PROCESS = 'import-process';

/**
 * `name` is a module's file name without extension, `neighbor` the URL of a module in its directory. In the
 * single executable, which has no files, the module is an asset.
 */
export function startThread(name: string, neighbor: string, options: WorkerOptions): Worker {
  return isSea()
    ? new Worker(getAsset(`${name}.js`, 'utf8'), { ...options, eval: true })
    : new Worker(besides(neighbor, name), options);
}

/** As `startThread`. `execArgv` are options of Node.js. */
export function startProcess(
  name: string,
  neighbor: string,
  { execArgv, ...options }: ForkOptions & { execArgv: string[] },
): ChildProcess {
  if (!isSea()) return fork(fileURLToPath(besides(neighbor, name)), { ...options, execArgv });
  // The single executable takes options of Node.js only from the environment.
  const NODE_OPTIONS = [process.env.NODE_OPTIONS ?? '', ...execArgv].join(' ').trim();
  return fork(name, { ...options, execArgv: [], env: { ...process.env, NODE_OPTIONS } });
}

/** `cluster.fork` does this by default, except in the single executable. */
export function forkThisCommand(): void {
  if (!isSea()) return;
  const [command = '', ...rest] = process.argv.slice(2);
  cluster.setupPrimary({ exec: command, args: rest, execArgv: [] });
}

/** Modules are `.ts` in the sources, and `.js` in the npm package. */
function besides(neighbor: string, name: string): URL {
  return new URL(`./${name}${extname(neighbor)}`, neighbor);
}

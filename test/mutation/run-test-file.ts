import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REPORTER = new URL('bail-reporter.ts', import.meta.url).href;
const MAX_OUTPUT = 4_000;

export interface FileRun {
  result: 'passed' | 'failed' | 'timeout';
  milliseconds: number;
  /** The end of what it wrote. */
  output: string;
}

/** Runs a test file until its first failure. No process and no file of it remains. */
export async function runTestFile(
  file: string,
  environment: Record<string, string>,
  limitMs: number,
): Promise<FileRun> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-mutant-'));
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--test-force-exit', `--test-reporter=${REPORTER}`, file], {
    // A process group of its own: a test that is cut short leaves the processes that it started.
    detached: true,
    env: {
      ...process.env,
      TMPDIR: directory,
      NODE_COMPILE_CACHE: join(process.cwd(), '.compile-cache'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  let isTimeout = false;
  const timer = setTimeout(() => {
    isTimeout = true;
    killGroup(child.pid);
  }, limitMs);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  const milliseconds = performance.now() - startedAt;
  killGroup(child.pid);
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  return { result: isTimeout ? 'timeout' : code === 0 ? 'passed' : 'failed', milliseconds, output };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Settings } from '../engines/engine.ts';
import { program } from './servers.ts';

/** `options` are Node's. Resolves to seconds. @throws {Error} if the command fails */
export async function runCommand(
  settings: Settings,
  commandLine: readonly string[],
  options: readonly string[] = [],
): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [...options, program, ...commandLine], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`exit code ${code}`);
  return (performance.now() - start) / 1000;
}

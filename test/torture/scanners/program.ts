import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Null if it is installed. */
export function missingProgram(name: string): string | null {
  try {
    execFileSync('which', [name], { stdio: 'ignore' });
    return null;
  } catch {
    return `${name} is not installed (it is in Debian's package ${name}).`;
  }
}

export async function outputOf(command: string, parameters: string[], seconds: number): Promise<string> {
  const signal = AbortSignal.timeout(seconds * 1_000);
  const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'inherit'], signal });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  await once(child, 'close');
  return output;
}

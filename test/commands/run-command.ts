import { Readable } from 'node:stream';
import { main } from '../../src/commands/main.ts';
import type { CommandResult } from '../support/process.ts';

/**
 * Runs a command of `tradepost` in this process, which is faster than a process of its own: for commands that
 * write no files to standard output.
 */
export async function runCommand(
  commandLine: string[],
  environment: Record<string, string>,
  { cwd, input = '' }: { cwd?: string; input?: string } = {},
): Promise<CommandResult> {
  const result = { stdout: '', stderr: '' };
  const { exitCode } = process;
  const before = process.cwd();
  process.exitCode = undefined;
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const status = await main(commandLine, environment, {
      openInput: () => Readable.from([input]),
      writeOut: (text) => {
        result.stdout += text;
      },
      writeErr: (text) => {
        result.stderr += text;
      },
      isTerminal: false,
    });
    return { status, ...result };
  } finally {
    process.exitCode = exitCode;
    process.chdir(before);
  }
}

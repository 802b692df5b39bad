import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command, Outcome } from './scenarios.ts';

export interface Language {
  name: string;
  /** The program and its arguments. */
  command: readonly [string, ...string[]];
  /** Prints something if the program can run the client. */
  check: readonly string[];
  /** What a machine needs to run the client. */
  needs: string;
  /** Fewer variables than the test's own, so that the result does not depend on them. */
  environment: (certificate: string) => Record<string, string>;
  /** Options with which the client trusts the certificate. */
  trust: (certificate: string) => Record<string, string>;
}

const runners = join(import.meta.dirname, 'runners');
const pythonPath = join(import.meta.dirname, '../../clients/python/src');

export const languages: readonly Language[] = [
  {
    name: 'TypeScript',
    command: [process.execPath, join(runners, 'run.ts')],
    check: ['--version'],
    needs: 'Node.js',
    environment: (certificate) => ({ NODE_EXTRA_CA_CERTS: certificate }),
    trust: () => ({}),
  },
  {
    name: 'PHP',
    command: ['php', join(runners, 'run.php')],
    check: ['-r', 'echo extension_loaded("curl") && PHP_VERSION_ID >= 80100 ? "ok" : "";'],
    needs: 'php-cli and php-curl of version 8.1 or newer',
    environment: () => ({}),
    trust: (certificate) => ({ caFile: certificate }),
  },
  {
    name: 'Python',
    command: ['python3', join(runners, 'run.py')],
    check: ['-c', 'import sys; print("ok" if sys.version_info >= (3, 9) else "")'],
    needs: 'python3 of version 3.9 or newer',
    environment: () => ({ PYTHONPATH: pythonPath, PYTHONDONTWRITEBYTECODE: '1' }),
    trust: (certificate) => ({ caFile: certificate }),
  },
];

/** Returns why a client cannot be run here; false if it can. */
export function whyNot({ command: [program], check, needs }: Language): string | false {
  try {
    if (execFileSync(program, check, { encoding: 'utf8', stdio: 'pipe' }).trim() !== '') return false;
  } catch {
    // The program is missing.
  }
  return `needs ${needs}`;
}

/** A program that runs calls with one of the clients, one after the other. */
export class Runner {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #errors = '';

  constructor({ command: [program, ...args], environment }: Language, certificate: string) {
    const { PATH = '' } = process.env;
    const child = spawn(program, args, { env: { PATH, ...environment(certificate) }, stdio: 'pipe' });
    child.stderr.on('data', (data) => {
      this.#errors += data;
    });
    this.#process = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  async run(command: Command): Promise<Outcome> {
    this.#process.stdin?.write(`${JSON.stringify(command)}\n`);
    const { done, value } = await this.#lines.next();
    if (done) throw new Error(`The runner has ended: ${this.#errors}`);
    const outcome: Outcome = JSON.parse(value);
    return outcome;
  }

  async close(): Promise<void> {
    const closed = once(this.#process, 'close');
    this.#process.stdin?.end();
    await closed;
  }
}

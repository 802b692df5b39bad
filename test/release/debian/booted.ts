import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { until } from '../../support/until.ts';
import { Debian } from './root.ts';

const run = promisify(execFile);

/** A Debian with systemd as its first process, in a container without a network. */
export class BootedDebian extends Debian {
  /** The process whose namespaces the container has. */
  readonly #leader: string;
  readonly #stop: () => Promise<void>;

  private constructor(root: string, leader: string, stop: () => Promise<void>) {
    super(root, ['nsenter', '--target', leader, '--all', '--']);
    this.#leader = leader;
    this.#stop = stop;
  }

  /** Undefined if this machine cannot run such a container. */
  static async boot(root: string): Promise<BootedDebian | undefined> {
    const options = ['--quiet', '--register=no', '--keep-unit', '--private-network', '--boot'];
    const container = spawn('systemd-nspawn', [...options, '--directory', root], { stdio: 'ignore' });
    const ended = once(container, 'exit');
    const leader = await until(
      async () => {
        if (container.exitCode !== null) return 'none';
        const children = await run('pgrep', ['--parent', String(container.pid)]).catch(() => ({
          stdout: '',
        }));
        return children.stdout.trim();
      },
      { timeoutMs: 20_000 },
    );
    if (leader === 'none') return undefined;
    const stop = async (): Promise<void> => {
      container.kill('SIGTERM');
      await ended;
    };
    const debian = new BootedDebian(root, leader, stop);
    const isBooted = async (): Promise<boolean> =>
      /running|degraded/.test((await debian.try('systemctl is-system-running')).output);
    try {
      await until(isBooted, { timeoutMs: 60_000, intervalMs: 200 });
    } catch {
      await stop();
      return undefined;
    }
    return debian;
  }

  /** What runs a program of this machine in the network of the container. */
  get network(): readonly string[] {
    return ['nsenter', '--target', this.#leader, '--net', '--'];
  }

  async stop(): Promise<void> {
    await this.#stop();
  }
}

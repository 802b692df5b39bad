import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../../support/until.ts';
import type { Debian } from './root.ts';

/**
 * Starts what the unit in a Debian starts, under its user, with its variables and its capabilities, as far as
 * that is possible without systemd.
 */
export class ServiceByHand {
  readonly #child: ChildProcess;
  #log = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
  }

  /** Resolves once it serves. */
  static async start(debian: Debian): Promise<ServiceByHand> {
    const unit = await debian.read('/usr/lib/systemd/system/tradepost.service');
    const all = (name: string): string[] =>
      [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
    const [user = '', file = '', command = ''] = [
      ...all('User'),
      ...all('EnvironmentFile'),
      ...all('ExecStart'),
    ];
    const lines = (await debian.read(file)).split('\n').filter((line) => /^\w+=/.test(line));
    const variables = [...all('Environment').flatMap((value) => value.split(' ')), ...lines];
    const capabilities = ['--inh-caps=-all,+net_bind_service', '--ambient-caps=-all,+net_bind_service'];
    const identity = [
      `--reuid=${user}`,
      `--regid=${user}`,
      '--init-groups',
      '--no-new-privs',
      ...capabilities,
    ];
    const program = ['env', '--ignore-environment', ...variables, ...command.split(' ')];
    const child = spawn('chroot', [debian.root, 'setpriv', ...identity, ...program], { stdio: 'pipe' });
    const service = new ServiceByHand(child);
    await until(() => service.#log.includes('"serving"') || child.exitCode !== null, {
      timeoutMs: 60_000,
      message: () => service.#log,
    });
    if (child.exitCode !== null) throw new Error(service.#log);
    return service;
  }

  /** The link of the log that sets up the marketplace. */
  async setUpLink(): Promise<string> {
    const [, link = ''] = await until(() => /"setUpLink":"([^"]*)"/.exec(this.#log));
    return link;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

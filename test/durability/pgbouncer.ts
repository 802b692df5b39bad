import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { unprivilegedAccount } from '../support/postgres/binaries.ts';
import { EXIT_WITH_PARENT, freePort, type Programs, writeOwned } from '../support/postgres/programs.ts';
import type { Owner } from '../support/process.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
/** Fewer than the connections of one process, so that they are shared between transactions. */
const SERVER_CONNECTIONS = 4;

export async function hasPgBouncer(): Promise<boolean> {
  return await access(PROGRAM).then(
    () => true,
    () => false,
  );
}

/** PgBouncer in transaction mode, for all databases of a server. */
export class PgBouncer {
  readonly #programs: Programs;
  readonly #port: number;
  #stop: () => Promise<void> = async () => {};

  private constructor(programs: Programs, port: number) {
    this.#programs = programs;
    this.#port = port;
  }

  static async start(t: Owner, serverUrl: string): Promise<PgBouncer> {
    const directory = await mkdtemp(join(tmpdir(), 'tradepost-pgbouncer-'));
    const account = await unprivilegedAccount();
    if (account !== undefined) await chown(directory, account.uid, account.gid);
    const programs = { bin: '', account, directory };
    const bouncer = new PgBouncer(programs, await freePort());
    t.after(async () => {
      await bouncer.#stop();
      await rm(directory, { recursive: true });
    });
    const { hostname, port, username, password } = new URL(serverUrl);
    const login = `user='${decodeURIComponent(username)}' password='${decodeURIComponent(password)}'`;
    const settings = `[databases]
* = host=${hostname} port=${port || 5432} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${bouncer.#port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 100
`;
    await writeOwned(programs, join(directory, 'pgbouncer.ini'), settings);
    await bouncer.#run();
    return bouncer;
  }

  address(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${this.#port}`;
    url.searchParams.set('prepare', 'false');
    return url.href;
  }

  async restart(): Promise<void> {
    await this.#stop();
    await this.#run();
  }

  async #run(): Promise<void> {
    const { account, directory } = this.#programs;
    const [program = '', ...rest] = [...EXIT_WITH_PARENT, PROGRAM, join(directory, 'pgbouncer.ini')];
    const child = spawn(program, rest, { ...account, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(child, 'close');
    this.#stop = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      lines.push(line);
      if (line.includes('process up')) break;
    }
    child.stderr.resume();
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${lines.join('\n')}`);
  }
}

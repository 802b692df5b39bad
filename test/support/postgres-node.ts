import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyOfBinaries, installedBinaries, unprivilegedAccount } from './postgres-binaries.ts';
import {
  END_WITH_US,
  freePort,
  initializeCluster,
  type Programs,
  type RunningServer,
  runProgram,
  startServer,
  writeOwned,
} from './postgres-programs.ts';
import type { Owner } from './process.ts';

const USER = 'tradepost';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '16MB',
  // What is killed here are processes: what they wrote is in the hands of the system, which goes on.
  fsync: 'off',
};

/** A PostgreSQL server of a test's own, which it can kill, halt, follow with a standby and promote, on Linux. */
export class PostgresNode {
  readonly port: number;
  readonly password: string;
  readonly #programs: Programs;
  #running: RunningServer | undefined;

  private constructor(programs: Programs, port: number, password: string) {
    this.#programs = programs;
    this.port = port;
    this.password = password;
  }

  /** A cluster of its own, not running yet, with the programs given or those of the npm package. */
  static async create(t: Owner, bin?: string): Promise<PostgresNode> {
    const node = await PostgresNode.#make(t, bin, randomBytes(16).toString('hex'));
    await initializeCluster(node.#programs, node.data, { user: USER, password: node.password });
    return node;
  }

  /** A standby of a server that is up, not running yet. */
  static async standbyOf(t: Owner, primary: PostgresNode): Promise<PostgresNode> {
    const node = await PostgresNode.#make(t, primary.#programs.bin, primary.password);
    const from = `host=127.0.0.1 port=${primary.port} user=${USER} password=${primary.password}`;
    const flags = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', `--dbname=${from}`];
    await runProgram(node.#programs, 'pg_basebackup', [`--pgdata=${node.data}`, ...flags]);
    return node;
  }

  static async #make(t: Owner, givenBin: string | undefined, password: string): Promise<PostgresNode> {
    const directory = await mkdtemp(join(tmpdir(), 'tradepost-postgres-'));
    const account = await unprivilegedAccount();
    const bin = givenBin ?? (account === undefined ? installedBinaries() : await copyOfBinaries(directory));
    if (account !== undefined) await chown(directory, account.uid, account.gid);
    const node = new PostgresNode({ bin, account, directory }, await freePort(), password);
    t.after(async () => {
      await node.kill();
      await rm(directory, { recursive: true, force: true });
    });
    return node;
  }

  get data(): string {
    return join(this.#programs.directory, 'data');
  }

  get url(): string {
    return `postgres://${USER}:${this.password}@127.0.0.1:${this.port}/postgres`;
  }

  /** Writes a file that the server may read; resolves to its path. */
  async write(name: string, content: string): Promise<string> {
    const path = join(this.#programs.directory, name);
    await writeOwned(this.#programs, path, content);
    return path;
  }

  async start(settings: Record<string, string> = {}): Promise<void> {
    const all = { ...SETTINGS, ...settings, port: String(this.port) };
    this.#running = startServer(this.#programs, this.data, all, END_WITH_US);
    await this.#running.ready;
  }

  /** Makes a standby that is up a primary. */
  async promote(): Promise<void> {
    await runProgram(this.#programs, 'pg_ctl', ['promote', '--no-wait', `--pgdata=${this.data}`]);
  }

  /** Stops every process of it where it is, as a machine whose network has gone. */
  async halt(): Promise<void> {
    await this.#signal('SIGSTOP');
  }

  async goOn(): Promise<void> {
    await this.#signal('SIGCONT');
  }

  /** Ends every process of it at once, as a machine that has lost its power. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL');
    await this.#running?.ended;
    this.#running = undefined;
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const pid = this.#running?.process.pid;
    if (pid === undefined) return;
    // Halted, it starts no further processes meanwhile.
    process.kill(pid, 'SIGSTOP');
    for (const one of [...(await childrenOf(pid)), pid]) process.kill(one, signal);
  }
}

/** The processes that another one started, on Linux. */
async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process may have ended since.
    const status = await readFile(join('/proc', name, 'status'), 'utf8').catch(() => '');
    if (status.includes(`\nPPid:\t${parent}\n`)) children.push(Number(name));
  }
  return children;
}

import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Owner } from '../process.ts';
import { copyOfBinaries, installedBinaries, unprivilegedAccount } from './binaries.ts';
import {
  EXIT_WITH_PARENT,
  freePort,
  initializeCluster,
  type Programs,
  type RunningServer,
  runProgram,
  startServer,
  writeOwned,
} from './programs.ts';

const USER = 'tradepost';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '16MB',
  // Tests kill only processes: the system still writes their data to disk.
  fsync: 'off',
};

/** A server that a test can kill, suspend, replicate to a standby and promote, on Linux. */
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

  /** Not running yet, with the given programs or those of the npm package. */
  static async create(
    t: Owner,
    bin?: string,
    password = randomBytes(16).toString('hex'),
  ): Promise<PostgresNode> {
    const node = await PostgresNode.#create(t, bin, password);
    await initializeCluster(node.#programs, node.data, { user: USER, password: node.password });
    return node;
  }

  /** Not running yet. */
  static async standbyOf(t: Owner, primary: PostgresNode): Promise<PostgresNode> {
    const node = await PostgresNode.#create(t, primary.#programs.bin, primary.password);
    const from = `host=127.0.0.1 port=${primary.port} user=${USER} password=${primary.password}`;
    const flags = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', `--dbname=${from}`];
    await runProgram(node.#programs, 'pg_basebackup', [`--pgdata=${node.data}`, ...flags]);
    return node;
  }

  static async #create(t: Owner, programs: string | undefined, password: string): Promise<PostgresNode> {
    const directory = await mkdtemp(join(tmpdir(), 'tradepost-postgres-'));
    const account = await unprivilegedAccount();
    const bin = programs ?? (account === undefined ? installedBinaries() : await copyOfBinaries(directory));
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

  /** Only the server may read the file. Resolves to its path. */
  async write(name: string, content: string): Promise<string> {
    const path = join(this.#programs.directory, name);
    await writeOwned(this.#programs, path, content);
    return path;
  }

  async start(settings: Record<string, string> = {}): Promise<void> {
    const all = { ...SETTINGS, ...settings, port: String(this.port) };
    this.#running = startServer(this.#programs, this.data, all, EXIT_WITH_PARENT);
    await this.#running.ready;
  }

  async promote(): Promise<void> {
    await runProgram(this.#programs, 'pg_ctl', ['promote', '--no-wait', `--pgdata=${this.data}`]);
  }

  /** Suspends the server, like a machine that has lost its network. */
  async suspend(): Promise<void> {
    await this.#signal('SIGSTOP');
  }

  async resume(): Promise<void> {
    await this.#signal('SIGCONT');
  }

  /** Kills the server, like a machine that has lost power. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL');
    await this.#running?.ended;
    this.#running = undefined;
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const pid = this.#running?.process.pid;
    if (pid === undefined) return;
    // Suspended first, so that it starts no more processes.
    process.kill(pid, 'SIGSTOP');
    for (const one of [...(await childrenOf(pid)), pid]) process.kill(one, signal);
  }
}

/** Works on Linux only. */
async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The process may have ended meanwhile.
    const status = await readFile(join('/proc', name, 'status'), 'utf8').catch(() => '');
    if (status.includes(`\nPPid:\t${parent}\n`)) children.push(Number(name));
  }
  return children;
}

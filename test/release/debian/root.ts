import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LC_ALL: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
};
const TOOLS = ['mmdebstrap', 'lintian', 'chroot'];

/** Why this machine cannot make a root of Debian, or false. */
export async function cannotMakeRoot(tools: readonly string[] = TOOLS): Promise<string | false> {
  if (process.getuid?.() !== 0) return 'only root can make a root directory of Debian';
  for (const tool of tools)
    try {
      await run('sh', ['-c', `command -v ${tool}`]);
    } catch {
      return `${tool} is not installed: apt-get install mmdebstrap lintian systemd-container podman crun`;
    }
  return false;
}

/** Makes a minimal Debian of this machine's release, from the archive that this machine uses. */
export async function makeRoot(directory: string, packages: readonly string[] = []): Promise<void> {
  const format = '$(REPO_URI) $(CODENAME)';
  const filters = ['Identifier: Packages', 'Label: Debian', 'Component: main'];
  const { stdout } = await run('apt-get', ['indextargets', '--format', format, ...filters]);
  const archives = stdout.split('\n').map((line) => line.split(' '));
  const [archive = '', codename = ''] = archives.find(([, name = '-']) => !name.includes('-')) ?? [];
  const include = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
  // The lists of packages stay, so that apt finds dependencies without asking again.
  const options = ['--quiet', '--variant=minbase', '--skip=cleanup/apt/lists', ...include];
  await run('mmdebstrap', [...options, codename, directory, archive]);
  await copyFile('/etc/resolv.conf', join(directory, 'etc/resolv.conf'));
}

/** Copies a root with its device files. */
export async function copyRoot(from: string, to: string): Promise<void> {
  await run('cp', ['--archive', from, to]);
}

export interface Result {
  status: number | null;
  /** Standard output and standard error. */
  output: string;
}

/** Runs a program until it ends, with what a shell of root has in its environment. */
export async function runIn(
  command: readonly [string, ...string[]],
  { environment = {}, input = '' }: { environment?: Record<string, string>; input?: string } = {},
): Promise<Result> {
  const [program, ...args] = command;
  const child = spawn(program, args, { env: { ...ENVIRONMENT, ...environment }, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [status] = await once(child, 'close');
  return { status, output };
}

/** A Debian that a test runs commands in. */
export class Debian {
  readonly root: string;
  /** What runs a command in it. */
  readonly #enter: readonly [string, ...string[]];

  constructor(root: string, enter: readonly [string, ...string[]] = ['chroot', root]) {
    this.root = root;
    this.#enter = enter;
  }

  /** Runs a command line of a shell, whatever its status. */
  async try(line: string, options: Parameters<typeof runIn>[1] = {}): Promise<Result> {
    return await runIn([...this.#enter, 'sh', '-c', line], options);
  }

  /** As `try`, of which the status must be 0. Resolves to what it printed. */
  async run(line: string, options: Parameters<typeof runIn>[1] = {}): Promise<string> {
    const { status, output } = await this.try(line, options);
    assert.equal(status, 0, `${line}\n${output}`);
    return output;
  }

  /** Resolves to the path inside. */
  async receive(file: string): Promise<string> {
    const inside = `/root/${basename(file)}`;
    await copyFile(file, join(this.root, inside));
    return inside;
  }

  async write(path: string, text: string): Promise<void> {
    await writeFile(join(this.root, path), text);
  }

  async read(path: string): Promise<string> {
    return await readFile(join(this.root, path), 'utf8');
  }

  /** Owner, group and permissions. */
  async facts(path: string): Promise<string> {
    return (await this.run(`stat --format='%U %G %a' ${path}`)).trim();
  }

  /** Puts lines at the end of the settings, as an administrator does. */
  async set(...lines: string[]): Promise<void> {
    const path = '/etc/tradepost/tradepost.env';
    await this.write(path, `${await this.read(path)}${lines.join('\n')}\n`);
  }
}

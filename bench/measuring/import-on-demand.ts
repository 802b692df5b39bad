import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/**
 * Installs packages in a folder of `node_modules/.cache`, unless they have been installed, and returns the folder. For tools
 * that are too large for `npm ci`. The packages are names with exact versions.
 */
export async function installOnDemand(folder: string, packages: readonly string[]): Promise<string> {
  const directory = join(CACHE, folder);
  await mkdir(directory, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', '--prefix', directory, ...options, ...packages]);
  return directory;
}

/** Like `installOnDemand`; imports a file, whose path in `node_modules` is `file`, of one of the packages. */
export async function importOnDemand(tool: {
  folder: string;
  packages: readonly string[];
  file: string;
}): Promise<unknown> {
  const directory = await installOnDemand(tool.folder, tool.packages);
  return await import(pathToFileURL(join(directory, 'node_modules', tool.file)).href);
}

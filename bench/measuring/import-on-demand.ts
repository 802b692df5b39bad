import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/**
 * Installs packages, unless they have been installed, and imports a file of one of them. For tools that are too large for
 * `npm ci`.
 */
export async function importOnDemand(tool: {
  /** Where the packages are installed: a folder of `node_modules/.cache`. */
  folder: string;
  /** Names with exact versions. */
  packages: readonly string[];
  /** The file's path in `node_modules`. */
  file: string;
}): Promise<unknown> {
  const directory = join(CACHE, tool.folder);
  await mkdir(directory, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', '--prefix', directory, ...options, ...tool.packages]);
  return await import(pathToFileURL(join(directory, 'node_modules', tool.file)).href);
}

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/**
 * Installs packages, named with exact versions, in a folder of `node_modules/.cache`, unless they are there.
 * For tools that are too large for `npm ci`.
 */
export async function installOnDemand(folder: string, packages: readonly string[]): Promise<string> {
  const directory = join(CACHE, folder);
  await mkdir(directory, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', '--prefix', directory, ...options, ...packages]);
  return directory;
}

/** `file` is a path in `node_modules`. */
export async function importOnDemand(tool: {
  folder: string;
  packages: readonly string[];
  file: string;
}): Promise<unknown> {
  const directory = await installOnDemand(tool.folder, tool.packages);
  return await import(pathToFileURL(join(directory, 'node_modules', tool.file)).href);
}

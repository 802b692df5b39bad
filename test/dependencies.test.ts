import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';

const root = join(import.meta.dirname, '..');

/** Permissive licenses: they require only attribution. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

it('every production dependency has a permissive license', async (t) => {
  const dependencies = await productionDependencies();
  assert.ok(dependencies.length > 50, `only ${dependencies.length} dependencies: the lock file was not read`);
  const megabytes = dependencies.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
  t.diagnostic(`${dependencies.length} packages, ${megabytes.toFixed(1)} MB`);
  const rejected = dependencies.filter(({ license }) => typeof license !== 'string' || !ALLOWED.has(license));
  assert.deepEqual(
    rejected.map(({ name, version, license }) => `${name}@${version}: ${JSON.stringify(license)}`),
    [],
  );
});

interface Dependency {
  name: string;
  version: string;
  license: unknown;
  bytes: number;
}

interface Locked {
  dev?: true;
  optional?: true;
  link?: true;
}

/** What `npm ci --omit=dev` installs, according to the lock file. */
async function productionDependencies(): Promise<Dependency[]> {
  const lock: unknown = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { packages } = lock as { packages: Record<string, Locked> };
  const paths = Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true)
    .map(([path, { optional }]) => ({ path: join(root, path), optional: optional === true }));
  const found = await Promise.all(paths.map(({ path, optional }) => describe(path, optional)));
  return found.filter((dependency) => dependency !== undefined);
}

/** Undefined for an optional package that is not installed on this platform. */
async function describe(path: string, optional: boolean): Promise<Dependency | undefined> {
  let text: string;
  try {
    text = await readFile(join(path, 'package.json'), 'utf8');
  } catch (error) {
    if (optional) return undefined;
    throw error;
  }
  const { name, version, license } = JSON.parse(text) as Omit<Dependency, 'bytes'>;
  return { name, version, license, bytes: await sizeOf(path) };
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const path = join(directory, entry.name);
    // Nested packages are counted separately.
    if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : await sizeOf(path);
    return entry.isFile() ? (await stat(path)).size : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

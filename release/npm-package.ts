import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Identity } from './identity.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const COPIED = ['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'docs', 'deploy', 'web/dist'];

interface Lockfile {
  packages: Record<string, { dev?: boolean; link?: boolean; version?: string }>;
}

/**
 * The package has JavaScript, because Node.js does not read TypeScript in `node_modules`, and a shrinkwrap,
 * so that an installation gets the package versions that the tests ran with.
 */
export async function buildNpmPackage(
  identity: Identity,
  { output, workDirectory }: { output: string; workDirectory: string },
): Promise<void> {
  const target = join(workDirectory, 'package');
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [
    compiler,
    '-p',
    join(ROOT, 'release', 'npm.tsconfig.json'),
    '--outDir',
    target,
  ]);
  for (const name of COPIED) await cp(join(ROOT, name), join(target, name), { recursive: true });
  const manifest = await npmManifest(identity);
  await writeJson(join(target, 'package.json'), manifest);
  await writeJson(join(target, 'npm-shrinkwrap.json'), await shrinkwrap(manifest));
  await run('npm', ['pack', '--silent', '--pack-destination', output], { cwd: target });
}

/** Leaves out what only the repository needs. */
async function npmManifest({ commit }: Identity): Promise<Record<string, unknown>> {
  const { name, version, description, license, type, bin, engines, dependencies } =
    await readJson('package.json');
  return { name, version, commit, description, license, type, bin, engines, dependencies };
}

/** Returns the lock file without development dependencies. */
async function shrinkwrap(manifest: Record<string, unknown>): Promise<unknown> {
  const { packages, ...lock } = (await readJson('package-lock.json')) as Lockfile & Record<string, unknown>;
  const { name, version, license, bin, engines, dependencies } = manifest;
  const installed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true,
  );
  const root = { name, version, license, bin, engines, dependencies };
  return { ...lock, packages: { '': root, ...Object.fromEntries(installed) } };
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(ROOT, file), 'utf8'));
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

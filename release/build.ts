import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { bundle, pageLicenses } from './bundle.ts';
import { buildDebianPackage } from './debian-package.ts';
import { buildExecutable } from './executable.ts';
import { readIdentity, readTime } from './identity.ts';
import { copiedLicenses, formatLicenses } from './licenses.ts';
import { architectures, downloadNode } from './node-distribution.ts';
import { buildNpmPackage } from './npm-package.ts';
import { provenance, type Subject } from './provenance.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const OUTPUT = resolve(process.argv[2] ?? join(ROOT, 'dist'));
/** The names are those that `startThread` uses. */
const THREADS = {
  'reader-worker': 'src/database/sqlite/reader-worker.ts',
  'writer-worker': 'src/writer-worker.ts',
  'sender-worker': 'src/sender-worker.ts',
  'backup-worker': 'src/backup-worker.ts',
  'common-password-worker': 'src/console/auth/common-password-worker.ts',
};

/**
 * Builds everything of a release into `dist/`, or into the directory given on the command line, which must be
 * missing or empty. The same commit gives the same bytes.
 */
async function build(workDirectory: string): Promise<void> {
  if (process.argv[2] === undefined) await rm(OUTPUT, { recursive: true, force: true });
  await mkdir(OUTPUT, { recursive: true });
  if ((await readdir(OUTPUT)).length > 0) throw new Error(`${OUTPUT} is not empty.`);
  const identity = readIdentity();
  const program = await bundle('src/executable.ts', identity);
  const threads = await Promise.all(
    Object.entries(THREADS).map(async ([name, module]) => [name, await bundle(module, identity)] as const),
  );
  const scripts = {
    program: program.code,
    threads: Object.fromEntries(threads.map(([name, { code }]) => [name, code])),
  };
  let nodeLicense = '';
  for (const architecture of architectures) {
    const node = await downloadNode(architecture, workDirectory);
    nodeLicense = node.license;
    const output = join(OUTPUT, `tradepost-linux-${architecture}`);
    await buildExecutable(scripts, { architecture, node: node.executable, output, workDirectory });
  }
  await buildNpmPackage(identity, { output: OUTPUT, workDirectory });
  const packages = [program, ...threads.map(([, each]) => each)].flatMap(({ licenses }) => licenses);
  packages.push(...(await pageLicenses()), ...copiedLicenses());
  await cp(join(ROOT, 'deploy'), join(OUTPUT, 'deploy'), { recursive: true });
  const own = await readFile(join(ROOT, 'LICENSE'), 'utf8');
  const licenses = formatLicenses(own, nodeLicense, packages);
  await writeFile(join(OUTPUT, 'LICENSES.txt'), licenses);
  for (const architecture of architectures) {
    const executable = join(OUTPUT, `tradepost-linux-${architecture}`);
    const { version } = identity;
    await buildDebianPackage({ version, architecture, executable, licenses, time: readTime() }, OUTPUT);
  }
  await writeFile(join(OUTPUT, 'sbom.cdx.json'), await billOfMaterials());
  await writeFile(join(OUTPUT, 'provenance.json'), await provenance(identity, await digests(), ROOT));
  const lines = (await digests()).map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  // In the format of `sha256sum`.
  await writeFile(join(OUTPUT, 'SHA256SUMS'), lines.join(''));
}

interface BillOfMaterials {
  serialNumber: string;
  metadata: { timestamp?: string };
  components: {
    type: string;
    name: string;
    version: string;
    'bom-ref'?: string;
    properties?: { name: string }[];
  }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * Lists a release's packages in CycloneDX, without the time and the random number that npm adds. npm's
 * `--omit=dev` also omits what development packages share with a release, so they are removed here.
 */
async function billOfMaterials(): Promise<string> {
  const args = [
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
    // Vite has set NODE_ENV, by which npm would omit them.
    '--include=dev',
  ];
  const { stdout } = await run('npm', args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  const {
    serialNumber: _,
    metadata,
    components,
    dependencies,
    ...rest
  }: BillOfMaterials = JSON.parse(stdout);
  const omitted = new Set<string | undefined>();
  for (const { properties = [], 'bom-ref': reference } of components) {
    if (properties.some(({ name }) => name === 'cdx:npm:package:development')) omitted.add(reference);
  }
  delete metadata.timestamp;
  const document = {
    ...rest,
    metadata,
    components: [
      ...components.filter((component) => !omitted.has(component['bom-ref'])),
      { type: 'platform', name: 'node', version: process.versions.node },
    ],
    dependencies: dependencies
      .filter(({ ref }) => !omitted.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => !omitted.has(one)) })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** All files so far, by their paths, in order. */
async function digests(): Promise<Subject[]> {
  const subjects: Subject[] = [];
  const entries = await readdir(OUTPUT, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.sort()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    subjects.push({ name: relative(OUTPUT, file), sha256: hash.digest('hex') });
  }
  return subjects;
}

const workDirectory = await mkdtemp(join(tmpdir(), 'tradepost-release-'));
try {
  await build(workDirectory);
} finally {
  await rm(workDirectory, { recursive: true });
}

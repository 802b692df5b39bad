import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { DEBIAN_ARCHITECTURES } from '../debian-package.ts';
import { type Identity, readIdentity, readTime } from '../identity.ts';
import type { Architecture } from '../node-distribution.ts';
import { type TarEntry, tar, withDirectories } from '../tar.ts';
import { type BasePackage, makeDebianBase } from './debian-base.ts';
import { ociArchive } from './oci-archive.ts';

const NAME = 'localhost/tradepost';
/** The number of the user. It stays, because volumes have files of this user. */
const USER = 10001;
const DATA = '/data';
const DOCUMENTS = './usr/share/doc/tradepost';
const SECOND = 1_000_000_000;

export interface BuiltImage {
  /** The name of the file. */
  name: string;
  digest: string;
}

/**
 * Builds images from the release in a directory, which must be of the current commit, into the directory
 * `output`, which must not exist, with their checksums. The same commit and the same packages of Debian give
 * the same bytes.
 */
export async function buildImages(
  release: string,
  output: string,
  architectures: readonly Architecture[],
): Promise<BuiltImage[]> {
  const identity = readIdentity();
  await checkIdentity(release, identity);
  await mkdir(output);
  const images: BuiltImage[] = [];
  const sums: string[] = [];
  for (const architecture of architectures) {
    const { archive, digest } = await packImage(release, identity, architecture);
    const name = `tradepost-${identity.version}-${DEBIAN_ARCHITECTURES[architecture]}.tar`;
    await writeFile(join(output, name), archive);
    sums.push(`${createHash('sha256').update(archive).digest('hex')}  ${name}\n`);
    images.push({ name, digest });
  }
  // In the format of `sha256sum`.
  await writeFile(join(output, 'SHA256SUMS'), sums.join(''));
  return images;
}

async function packImage(
  release: string,
  identity: Identity,
  architecture: Architecture,
): Promise<{ archive: Buffer; digest: string }> {
  const time = readTime();
  const debianArchitecture = DEBIAN_ARCHITECTURES[architecture];
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-image-'));
  try {
    const base = await makeDebianBase(debianArchitecture, join(directory, 'debian'));
    const program = await programFiles(release, architecture, base.packages);
    const versions = base.packages.map(({ name, version }) => `${name} ${version}`).join(', ');
    const layer = (files: readonly TarEntry[]): Buffer => tar(withDirectories(files), time);
    return await ociArchive({
      name: NAME,
      version: identity.version,
      architecture: debianArchitecture,
      settings: settings(identity),
      layers: [
        {
          content: layer([...base.files, ...systemFiles(base.packages)]),
          description: `Debian: ${versions}`,
        },
        { content: layer(program), description: `Tradepost ${identity.version}` },
      ],
      time,
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function checkIdentity(release: string, { version, commit }: Identity): Promise<void> {
  const { predicate } = JSON.parse(await readFile(join(release, 'provenance.json'), 'utf8'));
  const built = predicate.buildDefinition.externalParameters;
  if (built.version !== version || built.commit !== commit)
    throw new Error(`${release} is a release of ${built.commit}, not of ${commit}: run "npm run release".`);
}

/** What a container does unless it is told otherwise. */
function settings({ version, commit }: Identity): object {
  const environment = {
    PATH: '/usr/bin',
    NODE_ENV: 'production',
    DATA_DIR: DATA,
    HOST: '0.0.0.0',
    PORT: '8443',
    // One malloc arena for all threads: with one per thread, memory freed by one is unavailable to the others.
    MALLOC_ARENA_MAX: '1',
  };
  return {
    User: `${USER}:${USER}`,
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    Entrypoint: ['tini', '--', 'tradepost'],
    Cmd: ['serve'],
    ExposedPorts: { '8443/tcp': {} },
    Volumes: { [DATA]: {} },
    WorkingDir: DATA,
    StopSignal: 'SIGTERM',
    // Docker's addition to the format. Podman gets it from its command line.
    Healthcheck: {
      Test: ['CMD', 'tradepost', 'health'],
      Interval: 30 * SECOND,
      Timeout: 5 * SECOND,
      StartPeriod: 30 * SECOND,
    },
    Labels: {
      'org.opencontainers.image.title': 'Tradepost',
      'org.opencontainers.image.description': packageJson.description,
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': commit,
      'org.opencontainers.image.licenses': packageJson.license,
    },
  };
}

/** What the scripts of Debian's packages would write, and what scanners read to know the packages. */
function systemFiles(packages: readonly BasePackage[]): TarEntry[] {
  const file = (path: string, text: string): TarEntry => ({ path, mode: 0o644, content: Buffer.from(text) });
  const users = [
    'root:x:0:0:root:/:/usr/sbin/nologin\n',
    `tradepost:x:${USER}:${USER}:Tradepost:${DATA}:/usr/sbin/nologin\n`,
  ];
  return [
    file('./etc/passwd', users.join('')),
    file('./etc/group', `root:x:0:\ntradepost:x:${USER}:\n`),
    file('./etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
    ...packages.map(({ name, control }) => file(`./var/lib/dpkg/status.d/${name}`, control)),
    ...['./dev', './proc', './run', './sys'].map((path) => ({ path, mode: 0o755 })),
    { path: './tmp', mode: 0o1777 },
  ];
}

async function programFiles(
  release: string,
  architecture: Architecture,
  packages: readonly BasePackage[],
): Promise<TarEntry[]> {
  const read = (name: string): Promise<Buffer> => readFile(join(release, name));
  const bill = billOfMaterials(await read('sbom.cdx.json'), packages);
  return [
    { path: `.${DATA}`, mode: 0o700, owner: USER },
    { path: './usr/bin/tradepost', mode: 0o755, content: await read(`tradepost-linux-${architecture}`) },
    { path: `${DOCUMENTS}/LICENSES.txt`, mode: 0o644, content: await read('LICENSES.txt') },
    { path: `${DOCUMENTS}/sbom.cdx.json`, mode: 0o644, content: bill },
  ];
}

/** Adds the packages of Debian to the bill of materials of the release. */
function billOfMaterials(ofRelease: Buffer, packages: readonly BasePackage[]): Buffer {
  const { components, ...rest } = JSON.parse(ofRelease.toString());
  const added = packages.map(({ name, version, architecture }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`,
  }));
  return Buffer.from(`${JSON.stringify({ ...rest, components: [...components, ...added] }, null, 2)}\n`);
}

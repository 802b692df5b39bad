import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Architecture } from './node-distribution.ts';
import { type TarEntry, tar, withDirectories } from './tar.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(import.meta.dirname, 'debian');
/** What Debian and images call the processors. */
export const DEBIAN_ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const;
const CONFIGURATION = 'etc/tradepost/tradepost.env';

export interface DebianPackage {
  version: string;
  architecture: Architecture;
  /** The file of the executable. */
  executable: string;
  /** The text of `LICENSES.txt`. */
  licenses: string;
  /** In seconds since 1970: the date of the changelog and of all files. */
  time: number;
}

export function debianPackageName({
  version,
  architecture,
}: Pick<DebianPackage, 'version' | 'architecture'>) {
  return `tradepost_${version}_${DEBIAN_ARCHITECTURES[architecture]}.deb`;
}

/**
 * Writes a Debian package into a directory, without Debian's tools, so that every machine writes the same
 * bytes. Its scripts and its settings are in `release/debian`. Returns the path.
 */
export async function buildDebianPackage(built: DebianPackage, directory: string): Promise<string> {
  const files = await installedFiles(built);
  const data = withDirectories(files);
  const scripts = ['postinst', 'prerm', 'postrm', 'config'];
  const control: TarEntry[] = [
    { path: './control', mode: 0o644, content: Buffer.from(controlFile(built, data)) },
    { path: './conffiles', mode: 0o644, content: Buffer.from(`/${CONFIGURATION}\n`) },
    { path: './md5sums', mode: 0o644, content: Buffer.from(md5sums(files)) },
    { path: './templates', mode: 0o644, content: await readFile(join(SOURCES, 'templates')) },
  ];
  for (const name of scripts)
    control.push({ path: `./${name}`, mode: 0o755, content: await readFile(join(SOURCES, name)) });
  const root = { path: '.', mode: 0o755 };
  const members: [name: string, content: Buffer][] = [
    ['debian-binary', Buffer.from('2.0\n')],
    ['control.tar.gz', gzipSync(tar([root, ...control], built.time))],
    ['data.tar.gz', gzipSync(tar([root, ...data], built.time))],
  ];
  const path = join(directory, debianPackageName(built));
  await writeFile(path, archive(members, built.time));
  return path;
}

async function installedFiles({ version, executable, licenses, time }: DebianPackage): Promise<TarEntry[]> {
  const source = (name: string): Promise<Buffer> => readFile(join(SOURCES, name));
  const compressed = (content: Buffer | string): Buffer => gzipSync(content, { level: 9 });
  const documents = 'usr/share/doc/tradepost';
  const unit = async (name: string): Promise<[path: string, content: Buffer]> => [
    `usr/lib/systemd/system/${name}`,
    await readFile(join(ROOT, 'deploy/systemd', name)),
  ];
  const files: [path: string, content: Buffer, mode?: number][] = [
    [CONFIGURATION, await source('tradepost.env')],
    await unit('tradepost.service'),
    await unit('tradepost.socket'),
    ['usr/bin/tradepost', await source('tradepost'), 0o755],
    ['usr/lib/tradepost/tradepost', await readFile(executable), 0o755],
    [`${documents}/changelog.gz`, compressed(changelog(version, time))],
    [`${documents}/copyright`, await source('copyright')],
    [`${documents}/NOTICES.txt.gz`, compressed(licenses)],
    ['usr/share/lintian/overrides/tradepost', await source('lintian-overrides')],
    ['usr/share/man/man1/tradepost.1.gz', compressed(await source('tradepost.1'))],
  ];
  return files.map(([path, content, mode = 0o644]) => ({ path: `./${path}`, mode, content }));
}

function controlFile({ version, architecture }: DebianPackage, data: readonly TarEntry[]): string {
  const kibibytes = data.map(({ content }) => Math.ceil((content?.length ?? 1024) / 1024));
  return `Package: tradepost
Version: ${version}
Architecture: ${DEBIAN_ARCHITECTURES[architecture]}
Maintainer: Tradepost maintainers <maintainers@tradepost.invalid>
Installed-Size: ${kibibytes.reduce((total, one) => total + one, 0)}
Pre-Depends: debconf (>= 0.5) | debconf-2.0
Depends: adduser, init-system-helpers (>= 1.54~), libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)
Suggests: postgresql
Section: web
Priority: optional
Description: merchant commerce API with a web console
 Tradepost serves a marketplace's merchants: their software lists and changes
 products and stock, creates advertising campaigns and reads sales over HTTPS.
 It includes a console for merchants, a screen and an API for the operator of
 the marketplace, and an embedded database. It can use PostgreSQL instead.
`;
}

/** Debian's format. `docs/` has the changelog of the program. */
function changelog(version: string, time: number): string {
  const date = new Date(time * 1000).toUTCString().replace('GMT', '+0000');
  return `tradepost (${version}) stable; urgency=medium

  * Release ${version}. CHANGELOG.md of the release describes the changes.

 -- Tradepost maintainers <maintainers@tradepost.invalid>  ${date}
`;
}

function md5sums(files: readonly TarEntry[]): string {
  const lines = files
    .filter(({ path }) => path !== `./${CONFIGURATION}`)
    .map(
      ({ path, content = '' }) => `${createHash('md5').update(content).digest('hex')}  ${path.slice(2)}\n`,
    );
  return lines.join('');
}

/** The format of `ar`, in which a Debian package is written. */
function archive(members: readonly (readonly [name: string, content: Buffer])[], time: number): Buffer {
  const parts = members.flatMap(([name, content]) => {
    const fields = [name.padEnd(16), String(time).padEnd(12), '0     ', '0     ', '100644  '];
    const header = `${fields.join('')}${String(content.length).padEnd(10)}\`\n`;
    return [Buffer.from(header), content, Buffer.from(content.length % 2 === 1 ? '\n' : '')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}

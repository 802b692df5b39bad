import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { getAsset, getAssetKeys, isSea } from 'node:sea';
import { RenderedJson } from '../../shared/rendered-json.ts';

export interface PageFile {
  type: string;
  /** With an ETag; compressed when a client accepts it. */
  body: RenderedJson;
  /** The file as the build compressed it. */
  brotli: Buffer | undefined;
  /** The name contains a hash of the content, so the content never changes. */
  immutable: boolean;
  /** In addition to, or instead of, the headers of every response. */
  headers?: Readonly<Record<string, string>>;
}

/** By path, without a slash at the beginning. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Where `npm ci` builds the pages of the console and of the operator's screen. */
const BUILT = 'web/dist';

export type PageDirectory = 'console' | 'operator';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Reads files into memory, so that a later build does not mix with them; in the executable, its assets. */
export function readPages(
  directory: PageDirectory,
  built: string = join(import.meta.dirname, '../../..', BUILT),
): PageFiles {
  const files = isSea() ? readAssets(`${BUILT}/${directory}/`) : readDirectory(join(built, directory));
  const pages = new Map<string, PageFile>();
  for (const [path, bytes] of files) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    pages.set(path, {
      type,
      body: new RenderedJson(bytes),
      brotli: files.get(`${path}.br`),
      immutable: path.startsWith('assets/'),
    });
  }
  return pages;
}

function readDirectory(directory: string): ReadonlyMap<string, Buffer> {
  if (!existsSync(directory)) return new Map();
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    paths.map((path) => [path.slice(directory.length + 1).replaceAll(sep, '/'), readFileSync(path)]),
  );
}

function readAssets(prefix: string): ReadonlyMap<string, Buffer> {
  const names = getAssetKeys().filter((name) => name.startsWith(prefix));
  return new Map(names.map((name) => [name.slice(prefix.length), Buffer.from(getAsset(name))]));
}

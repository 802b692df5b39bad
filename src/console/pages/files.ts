import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { RenderedJson } from '../../shared/rendered-json.ts';

/** A file of the console's pages. */
export interface PageFile {
  type: string;
  /** The file's bytes, with an ETag; compressed when a client accepts it. */
  body: RenderedJson;
  /** The file as the build compressed it, for clients that accept Brotli. */
  brotli: Buffer | undefined;
  /** Whether its name contains a hash of its content, so that it never changes. */
  immutable: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Reads all files below a directory into memory, by path, so that a later build does not mix with these files. */
export function readPages(directory: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = file.slice(directory.length + 1).replaceAll(sep, '/');
    files.set(path, {
      type,
      body: new RenderedJson(readFileSync(file)),
      brotli: existsSync(`${file}.br`) ? readFileSync(`${file}.br`) : undefined,
      immutable: path.startsWith('assets/'),
    });
  }
  return files;
}

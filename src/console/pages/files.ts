import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { RenderedJson } from '../../shared/rendered-json.ts';

/** One file of the console's pages, in each form that it has been asked for in. */
export interface PageFile {
  type: string;
  body: RenderedJson;
  /** Compressed as far as it goes when it was built, for clients that take Brotli. */
  brotli: Buffer | undefined;
  /** Whether its name tells its content: then it never changes. */
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

/** Every file below a directory by its path, read once: a build under a running service mixes nothing up. */
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

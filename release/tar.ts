import { dirname } from 'node:path';

/** A directory has no `content`, and a link no more than its target. */
export interface TarEntry {
  /** Relative, at most 100 bytes. */
  path: string;
  /** Permissions, such as 0o755. */
  mode: number;
  content?: Buffer;
  linkTo?: string;
  /** The number of the user and of the group. Without it: root. */
  owner?: number;
}

const BLOCK = 512;
/** ASCII: https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html, "ustar Interchange Format". */
const TYPES = { file: '0', link: '2', directory: '5' } as const;

/** Packs entries in their order. `mtime` is in seconds since 1970. The same input gives the same bytes. */
export function tar(entries: readonly TarEntry[], mtime: number): Buffer {
  const parts = entries.flatMap((entry) => {
    const { content = Buffer.alloc(0) } = entry;
    return [header(entry, content.length, mtime), content, padding(content.length, BLOCK)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** Adds each directory before the first file in it, open to everyone. */
export function withDirectories(files: readonly TarEntry[]): TarEntry[] {
  const entries: TarEntry[] = [];
  const added = new Set(['.']);
  const add = (path: string): void => {
    if (added.has(path)) return;
    added.add(path);
    add(dirname(path));
    entries.push({ path, mode: 0o755 });
  };
  for (const file of files) {
    add(dirname(file.path));
    entries.push(file);
  }
  return entries;
}

function header({ path, mode, content, linkTo, owner = 0 }: TarEntry, size: number, mtime: number): Buffer {
  const type = linkTo !== undefined ? 'link' : content !== undefined ? 'file' : 'directory';
  const name = type === 'directory' ? `${path}/` : path;
  if (Buffer.byteLength(name) > 100 || Buffer.byteLength(linkTo ?? '') > 100)
    throw new Error(`The path is too long for the archive: ${name}`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  block.write(name, 0);
  block.write(octal(mode, 8), 100);
  block.write(octal(owner, 8), 108);
  block.write(octal(owner, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(mtime, 12), 136);
  block.write(' '.repeat(8), 148);
  block.write(TYPES[type], 156);
  block.write(linkTo ?? '', 157);
  block.write('ustar\u000000', 257);
  if (owner === 0) {
    block.write('root', 265);
    block.write('root', 297);
  }
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** As many zero bytes as `length` lacks to a multiple of `unit`. */
function padding(length: number, unit: number): Buffer {
  return Buffer.alloc((unit - (length % unit)) % unit);
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { OpenFile } from '../../src/files/open-file.ts';
import type { Parsed, Rejection } from '../../src/files/parsed.ts';

export async function fileWith(t: TestContext, contents: string | Buffer, name = 'file'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, name);
  await writeFile(path, contents);
  return path;
}

/** The contents arrive in chunks of the given sizes, repeated as needed. */
export function openText(contents: string | Buffer, sizes: readonly number[] = [64 * 1024]): OpenFile {
  const bytes = Buffer.from(contents);
  return {
    path: 'test.csv',
    totalBytes: bytes.length,
    start: bytes,
    text: chunked(bytes, sizes),
    close: async () => {},
  };
}

/** Chunks have the given sizes, repeated as needed. */
export async function* chunked(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let index = 0;
  for (let from = 0; from < bytes.length; ) {
    const size = Math.max(1, sizes[index++ % sizes.length] ?? 1);
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

export async function flatten<Item>(batches: AsyncIterable<Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

export function itemsOf<Item>(parsed: readonly Parsed<Item>[]): Item[] {
  return parsed.flatMap((one) => ('item' in one ? [one.item] : []));
}

export function rejectionsOf<Item>(parsed: readonly Parsed<Item>[]): Rejection[] {
  return parsed.flatMap((one) => ('item' in one ? [] : one.rejections));
}

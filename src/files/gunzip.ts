import { createGunzip } from 'node:zlib';
import { UnusableFile } from './parsed.ts';

/** In one step. gzip compresses at most 1032 to 1, so 16 KiB unpack to at most about 16 MiB. */
const PIECE_BYTES = 16 * 1024;
const MB = 1024 * 1024;

export function isGzip(start: Buffer): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/**
 * Yields unpacked data up to a maximum size.
 * @throws {UnusableFile} if there is more
 */
export async function* limitSize(
  maximumBytes: number,
  path: string,
  unpacked: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of unpacked) {
    bytes += chunk.length;
    if (bytes > maximumBytes) {
      const maximum = Math.floor(maximumBytes / MB);
      throw new UnusableFile(`${path}: The file unpacks to more than the limit of ${maximum} MB`);
    }
    yield chunk;
  }
}

/**
 * Yields all data before a damaged part, and then throws. A pipeline of streams does not guarantee this,
 * because a failing stream drops its buffer.
 * @throws {UnusableFile} if the data is damaged or truncated
 */
export async function* gunzip(path: string, packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const engine = createGunzip({ chunkSize: 64 * 1024 });
  let output: Buffer[] = [];
  let failure: Error | undefined;
  let resume = (): void => {};
  engine.on('data', (chunk: Buffer) => output.push(chunk));
  engine.on('end', () => resume());
  engine.on('error', (error) => {
    failure = error;
    resume();
  });
  const untilReady = (start: () => void): Promise<void> =>
    new Promise((resolve) => {
      resume = resolve;
      start();
    });
  function* takeOutput(): Generator<Buffer> {
    const ready = output;
    output = [];
    yield* ready;
    if (failure !== undefined) throw new UnusableFile(`${path}: ${describeGzipError(failure)}`);
  }
  try {
    for await (const chunk of packed) {
      for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
        await untilReady(() => engine.write(chunk.subarray(from, from + PIECE_BYTES), () => resume()));
        yield* takeOutput();
      }
    }
    await untilReady(() => engine.end());
    yield* takeOutput();
  } finally {
    engine.destroy();
  }
}

function describeGzipError(failure: Error): string {
  const isTruncated = 'code' in failure && failure.code === 'Z_BUF_ERROR';
  return isTruncated ? 'The gzip data is truncated' : `The gzip data is damaged (${failure.message})`;
}

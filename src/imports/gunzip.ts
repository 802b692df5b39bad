import { createGunzip } from 'node:zlib';
import { UnusableFile } from './parsed.ts';

/** What is unpacked at once: gzip packs at most 1032 to 1, so that 16 KiB give 16 MiB at the worst. */
const PIECE_BYTES = 16 * 1024;
const MB = 1024 * 1024;

/** Whether the bytes begin as every gzip file does. */
export function isGzip(start: Buffer): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** What is unpacked, and no more than so many bytes of it. @throws {UnusableFile} where there are more */
export async function* upTo(
  maximumBytes: number,
  path: string,
  unpacked: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of unpacked) {
    bytes += chunk.length;
    if (bytes > maximumBytes) {
      const most = Math.floor(maximumBytes / MB);
      throw new UnusableFile(`${path}: it unpacks to more than ${most} MB, the most that is read`);
    }
    yield chunk;
  }
}

/**
 * Unpacks gzip as it is read. Everything that stands before a damage comes out before the damage is
 * reported, which a pipeline of streams does not promise: a failing stream drops what it has buffered.
 * @throws {UnusableFile} for data that is damaged or cut short
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
  const settled = (start: () => void): Promise<void> =>
    new Promise((resolve) => {
      resume = resolve;
      start();
    });
  function* taken(): Generator<Buffer> {
    const ready = output;
    output = [];
    yield* ready;
    if (failure !== undefined) throw new UnusableFile(`${path}: ${reasonOf(failure)}`);
  }
  try {
    for await (const chunk of packed) {
      for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
        await settled(() => engine.write(chunk.subarray(from, from + PIECE_BYTES), () => resume()));
        yield* taken();
      }
    }
    await settled(() => engine.end());
    yield* taken();
  } finally {
    engine.destroy();
  }
}

function reasonOf(failure: Error): string {
  const cut = 'code' in failure && failure.code === 'Z_BUF_ERROR';
  return cut
    ? 'its gzip data ends too early: the file is cut short'
    : `its gzip data is damaged (${failure.message})`;
}

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

/** What a body can be sent as. */
export type Encoding = 'identity' | 'zstd' | 'br' | 'gzip';

/** Bodies longer than this, in bytes, are compressed. */
export const COMPRESSION_THRESHOLD = 1024;

// The last of equals wins: zstd is the quickest to make and about as small as the others.
const offered: Encoding[] = ['gzip', 'br', 'zstd'];

const REMEMBERED_HEADERS = 200;
const negotiated = new Map<string, Encoding>();

/** The encoding that an `Accept-Encoding` header asks for (RFC 9110, 12.5.3). */
export function negotiateEncoding(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  let encoding = negotiated.get(header);
  if (encoding === undefined) {
    encoding = negotiate(header);
    if (negotiated.size >= REMEMBERED_HEADERS) negotiated.clear();
    negotiated.set(header, encoding);
  }
  return encoding;
}

/** Whether an `Accept-Encoding` header names an encoding as one that will do. */
export function accepts(header: string | undefined, encoding: Encoding): boolean {
  const weights = weightsOf(header ?? '');
  return (weights.get(encoding) ?? 0) > 0;
}

function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return weights;
}

function negotiate(header: string): Encoding {
  const weights = weightsOf(header);
  let best: Encoding = 'identity';
  let bestWeight = weights.get('identity') ?? 0;
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    if (weight > 0 && weight >= bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);
const zstdAsync = promisify(zstdCompress);

/** Compresses off the event loop, at levels that take about a millisecond for a page. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case 'identity':
      return Promise.resolve(body);
    case 'gzip':
      return gzipAsync(body);
    case 'br':
      return brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
    case 'zstd':
      return zstdAsync(body);
  }
}

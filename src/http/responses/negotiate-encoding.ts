import type { Encoding } from '../../shared/compression.ts';
import type { RenderedJson } from '../../shared/rendered-json.ts';

/** Longer bodies, in bytes, are compressed. */
const COMPRESSION_THRESHOLD = 1024;

/** If weights are equal, the last one wins. At the levels used, zstd is as fast as Brotli, and best. */
const OFFERED: readonly Encoding[] = ['gzip', 'br', 'zstd'];

interface EncodedBody {
  encoding: Encoding;
  bytes: Buffer;
}

/** Short bodies are not compressed. */
export async function encodeFor(
  body: RenderedJson,
  acceptEncoding: string | undefined,
): Promise<EncodedBody> {
  const encoding = body.length > COMPRESSION_THRESHOLD ? negotiateEncoding(acceptEncoding) : 'identity';
  return { encoding, bytes: await body.encoded(encoding) };
}

/** Returns the encoding that an `Accept-Encoding` header prefers (RFC 9110, 12.5.3). */
export function negotiateEncoding(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const weights = weightsOf(header);
  let best: Encoding = 'identity';
  let bestWeight = weights.get('identity') ?? 0;
  for (const encoding of OFFERED) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    if (weight > 0 && weight >= bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

/** Whether an `Accept-Encoding` header names an encoding with a weight above 0. Ignores `*`. */
export function accepts(header: string | undefined, encoding: Encoding): boolean {
  return (weightsOf(header ?? '').get(encoding) ?? 0) > 0;
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

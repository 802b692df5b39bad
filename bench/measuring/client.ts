import { Agent, request } from 'node:https';

// The certificate is self-signed.
const agent = new Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false });

/** `milliseconds` is the time until the last byte. */
interface Received {
  status: number;
  body: Buffer;
  /** The `Link` header; blank if there is none. */
  link: string;
  milliseconds: number;
}

export async function get(url: string): Promise<Received> {
  return await send(url);
}

/** Sends a POST request if there is post data. */
export async function send(
  url: string,
  data?: string,
  headersOfData: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' },
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const start = performance.now();
  const method = data === undefined ? 'GET' : 'POST';
  const headers =
    data === undefined
      ? {}
      : {
          ...headersOfData,
          'content-length': String(Buffer.byteLength(data)),
        };
  const sent = request(url, { agent, method, headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      const milliseconds = performance.now() - start;
      const link = String(response.headers.link ?? '');
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), link, milliseconds });
    });
  });
  sent.on('error', reject);
  sent.end(data);
  return await promise;
}

/** Resolves at the first response with any status. @throws {Error} after 20 s without one */
export async function untilResponse(url: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    try {
      await get(url);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

import { Agent, request } from 'node:https';

// The certificate is self-signed.
const agent = new Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false });

/** Sends a GET request. Resolves to the response and the time until its last byte, in ms. */
export async function get(url: string): Promise<{ status: number; body: Buffer; milliseconds: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof get>>>();
  const start = performance.now();
  const sent = request(url, { agent }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      const milliseconds = performance.now() - start;
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), milliseconds });
    });
  });
  sent.on('error', reject);
  sent.end();
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

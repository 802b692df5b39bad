import { Agent, request } from 'node:https';

// Kept connections. The benchmark measures the service, not trust in its self-signed certificate.
const agent = new Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false });

/** Asks for one address; resolves to the body and the time from asking to its last byte, in ms. */
export async function ask(url: string): Promise<{ status: number; body: Buffer; milliseconds: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof ask>>>();
  const begun = performance.now();
  const asked = request(url, { agent }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      const milliseconds = performance.now() - begun;
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), milliseconds });
    });
  });
  asked.on('error', reject);
  asked.end();
  return await promise;
}

/** Resolves at the first answer of any kind. @throws {Error} after 20 s without one */
export async function untilAnswer(url: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    try {
      await ask(url);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

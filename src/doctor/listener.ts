import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { createServer } from 'node:net';

const TIMEOUT_MS = 3_000;

interface ListenAddress {
  host: string;
  port: number;
}

/** Returns the system's error code, such as `EADDRINUSE`; null if the address can be listened on now. */
export async function listenError({ host, port }: ListenAddress): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  } finally {
    server.close();
  }
}

/** Returns null if no program responds with HTTP in time. */
export async function get(
  { host, port }: ListenAddress,
  path: string,
  { tls }: { tls: boolean },
): Promise<{ headers: IncomingHttpHeaders; text: string } | null> {
  const hostname = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const options = { hostname, port, path, agent: false, signal };
  try {
    const sent = tls ? requestTls({ ...options, rejectUnauthorized: false }) : requestPlain(options);
    sent.end();
    const [response]: IncomingMessage[] = await once(sent, 'response');
    const text = (await Array.fromAsync(response ?? [])).join('');
    return { headers: response?.headers ?? {}, text };
  } catch {
    return null;
  }
}

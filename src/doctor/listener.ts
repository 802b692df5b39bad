import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { createServer } from 'node:net';

const PATIENCE_MS = 3_000;

/** Where something listens, or may. */
export interface Place {
  host: string;
  port: number;
}

/** Why nothing can listen there just now, as the system's code, such as `EADDRINUSE`; null where it can. */
export async function listenError({ host, port }: Place): Promise<string | null> {
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

/** What whoever listens there answers to GET; null where it does not speak HTTP, or not in time. */
export async function askListener(
  { host, port }: Place,
  path: string,
  { tls }: { tls: boolean },
): Promise<{ headers: IncomingHttpHeaders; text: string } | null> {
  const hostname = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const options = { hostname, port, path, agent: false, signal };
  try {
    const asked = tls ? requestTls({ ...options, rejectUnauthorized: false }) : requestPlain(options);
    asked.end();
    const [answer]: IncomingMessage[] = await once(asked, 'response');
    const text = (await Array.fromAsync(answer ?? [])).join('');
    return { headers: answer?.headers ?? {}, text };
  } catch {
    return null;
  }
}

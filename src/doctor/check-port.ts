import { once } from 'node:events';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';

const PATIENCE_MS = 3_000;

/** Whether the port can be had, or this service has it already. */
export async function checkPort(config: Config): Promise<Finding[]> {
  const found = findingsOf('port');
  const { host, port } = config;
  const where = `${port} on ${host}`;
  if (port === 0) return [found.ok('any free one')];
  switch (await listenError(host, port)) {
    case null:
      return [found.ok(`${where} is free`)];
    case 'EADDRINUSE':
      return [
        (await isServedByUs(config))
          ? found.ok(`${where} is served by Tradepost already`)
          : found.problem(`${where} is in use by something else`, 'choose another PORT, or stop what has it'),
      ];
    case 'EACCES':
      return [
        found.problem(
          `${where} is not this user's to listen on`,
          'grant CAP_NET_BIND_SERVICE, as deploy/systemd does, or choose a PORT above 1023',
        ),
      ];
    default:
      return [
        found.problem(
          `${where} cannot be had: HOST is not an address of this machine`,
          'set HOST to one, or to 0.0.0.0',
        ),
      ];
  }
}

async function listenError(host: string, port: number): Promise<string | null> {
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

/** A request without a token is refused as no other program would: with a message in JSON and a request id. */
async function isServedByUs({ host, port, tls, basePath }: Config): Promise<boolean> {
  const hostname = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const options = { hostname, port, path: `${basePath}/products.json`, agent: false, timeout: PATIENCE_MS };
  try {
    const asked =
      tls.mode === 'own' ? requestTls({ ...options, rejectUnauthorized: false }) : requestPlain(options);
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.end();
    const [answer]: IncomingMessage[] = await once(asked, 'response');
    const body: unknown = JSON.parse((await Array.fromAsync(answer ?? [])).join(''));
    return (
      typeof body === 'object' &&
      body !== null &&
      'message' in body &&
      answer?.headers['x-request-id'] !== undefined
    );
  } catch {
    return false;
  }
}

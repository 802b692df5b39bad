import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';
import { get, listenError } from './listener.ts';

export async function checkPort(config: Config): Promise<Finding[]> {
  const found = findingsOf('port');
  const { host, port } = config;
  const address = `${port} on ${host}`;
  if (port === 0) return [found.ok('any free port')];
  switch (await listenError(config)) {
    case null:
      return [found.ok(`${address} is free`)];
    case 'EADDRINUSE':
      return [
        (await isServedByUs(config))
          ? found.ok(`${address} is already served by Tradepost`)
          : found.problem(
              `${address} is in use by another program`,
              'choose another PORT, or stop that program',
            ),
      ];
    case 'EACCES':
      return [
        found.problem(
          `this user may not listen on ${address}`,
          'grant CAP_NET_BIND_SERVICE, as deploy/systemd does, or choose a PORT above 1023',
        ),
      ];
    default:
      return [
        found.problem(
          `${address} cannot be listened on: HOST is not an address of this machine`,
          'set HOST to an address of this machine, or to 0.0.0.0',
        ),
      ];
  }
}

/** Recognizes Tradepost's response to a request without a token: a message in JSON and a request ID. */
async function isServedByUs(config: Config): Promise<boolean> {
  const response = await get(config, `${config.basePath}/products.json`, {
    tls: config.tls.mode !== 'proxy',
  });
  try {
    const body: unknown = JSON.parse(response?.text ?? '');
    return (
      typeof body === 'object' &&
      body !== null &&
      'message' in body &&
      response?.headers['x-request-id'] !== undefined
    );
  } catch {
    return false;
  }
}

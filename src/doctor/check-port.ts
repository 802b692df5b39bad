import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';
import { askListener, listenError } from './listener.ts';

/** Whether the port can be had, or this service has it already. */
export async function checkPort(config: Config): Promise<Finding[]> {
  const found = findingsOf('port');
  const { host, port } = config;
  const where = `${port} on ${host}`;
  if (port === 0) return [found.ok('any free one')];
  switch (await listenError(config)) {
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

/** A request without a token is refused as no other program would: with a message in JSON and a request id. */
async function isServedByUs(config: Config): Promise<boolean> {
  const answer = await askListener(config, `${config.basePath}/products.json`, {
    tls: config.tls.mode === 'own',
  });
  try {
    const body: unknown = JSON.parse(answer?.text ?? '');
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

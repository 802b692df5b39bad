import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';
import { get, listenError } from './listener.ts';

/**
 * If METRICS_ADDRESS is in use, `serve` does not start, or continues without metrics if it is the default.
 */
export async function checkMetrics({ metrics: address }: Pick<Config, 'metrics'>): Promise<Finding[]> {
  const found = findingsOf('metrics');
  if (address === null) return [found.ok('METRICS_ADDRESS is off')];
  if (address.port === 0) return [found.ok('any free port')];
  const described = `${address.port} on ${address.host}`;
  const error = await listenError(address);
  if (error === null) return [found.ok(`${described} is free`)];
  const inUse = error === 'EADDRINUSE';
  if (inUse && (await get(address, '/healthz', { tls: false }))?.text === 'alive\n') {
    return [found.ok(`${described} is already served by Tradepost`)];
  }
  const message = inUse
    ? `${described} is in use by another program`
    : `${described} cannot be listened on: ${error}`;
  return [
    address.isDefault
      ? found.warning(
          `${message}; the service runs without metrics`,
          'set METRICS_ADDRESS to another address, or to off',
        )
      : found.problem(
          `${message}; the service does not start`,
          'set METRICS_ADDRESS to another address, or to off',
        ),
  ];
}

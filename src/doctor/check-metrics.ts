import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';
import { askListener, listenError } from './listener.ts';

/**
 * Whether the place of METRICS_ADDRESS can be had, or a service tells its health there already. `serve` does
 * not start where a place that was set cannot be had, and goes on without metrics where it is the default.
 */
export async function checkMetrics({ metrics: place }: Pick<Config, 'metrics'>): Promise<Finding[]> {
  const found = findingsOf('metrics');
  if (place === null) return [found.ok('METRICS_ADDRESS is off')];
  if (place.port === 0) return [found.ok('any free port')];
  const where = `${place.port} on ${place.host}`;
  const error = await listenError(place);
  if (error === null) return [found.ok(`${where} is free`)];
  const taken = error === 'EADDRINUSE';
  if (taken && (await askListener(place, '/healthz', { tls: false }))?.text === 'alive\n') {
    return [found.ok(`${where} is served by Tradepost already`)];
  }
  const message = taken ? `${where} is in use by something else` : `${where} cannot be had: ${error}`;
  return [
    place.asked
      ? found.problem(`${message}; it does not start then`, 'choose another METRICS_ADDRESS, or off')
      : found.warning(`${message}; there are no metrics then`, 'set METRICS_ADDRESS to another, or to off'),
  ];
}

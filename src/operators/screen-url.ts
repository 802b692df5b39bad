import type { Config } from '../config.ts';
import { consoleUrl } from '../users/password-link.ts';

/** The URL of the operator's screen according to the settings. */
export function screenUrl(config: Pick<Config, 'publicUrl' | 'host' | 'port' | 'operatorAddress'>): string {
  const { operatorAddress } = config;
  const served = operatorAddress === null ? config : { ...operatorAddress, publicUrl: null };
  return consoleUrl(served).replace(/console$/, 'operator');
}

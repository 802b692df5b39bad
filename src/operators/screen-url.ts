import type { Config } from '../config.ts';
import { consoleUrl } from '../users/password-link.ts';

/** The URL of the operator's screen according to the settings. */
export function screenUrl(config: Pick<Config, 'publicUrl' | 'host' | 'port' | 'operatorAddress'>): string {
  return consoleUrl(config).replace(/console$/, 'operator');
}

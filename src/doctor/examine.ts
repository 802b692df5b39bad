import type { Config } from '../config.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkDatabase } from './check-database.ts';
import { checkDirectory } from './check-directory.ts';
import { checkMachine } from './check-machine.ts';
import { checkMetrics } from './check-metrics.ts';
import { checkPort } from './check-port.ts';
import { checkProxy } from './check-proxy.ts';
import { checkSettings } from './check-settings.ts';
import { type Finding, findingsOf, reasonOf } from './finding.ts';

/**
 * Looks at everything that the service needs, and changes nothing: settings, files, disk, certificate,
 * proxy, database, clock, ports and what the machine grants. Where settings cannot be used, only they are
 * looked at: what the others would be is not known then. `deep` reads the whole embedded database too.
 */
export async function examine(
  environment: Record<string, string | undefined>,
  now: () => number,
  options: { deep: boolean },
): Promise<Finding[]> {
  const { findings, config } = checkSettings(environment);
  if (config === null) return findings;
  const checks: Record<string, (config: Config) => Finding[] | Promise<Finding[]>> = {
    files: checkDirectory,
    certificate: () => checkCertificate(config, now()),
    proxy: checkProxy,
    database: () => checkDatabase(config, now, options),
    port: checkPort,
    metrics: checkMetrics,
    machine: checkMachine,
  };
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(...(await check(config)));
    } catch (error) {
      findings.push(findingsOf(name).problem(`cannot be looked at: ${reasonOf(error)}`, 'see to that first'));
    }
  }
  return findings;
}

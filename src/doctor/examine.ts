import { checkBackups } from './check-backups.ts';
import { checkBrand } from './check-brand.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkDatabase } from './check-database.ts';
import { checkDirectory } from './check-directory.ts';
import { checkMachine } from './check-machine.ts';
import { checkMail } from './check-mail.ts';
import { checkMetrics } from './check-metrics.ts';
import { checkPort } from './check-port.ts';
import { checkProxy } from './check-proxy.ts';
import { checkSecretFiles } from './check-secret-files.ts';
import { checkSettings } from './check-settings.ts';
import { type Finding, findingsOf, messageWithoutPeriod } from './finding.ts';

/**
 * Changes nothing. If a setting is invalid, checks only the settings, because the rest depends on them.
 * `deep` also checks every page of the SQLite database.
 */
export async function examine(
  environment: Record<string, string | undefined>,
  now: () => number,
  options: { deep: boolean },
): Promise<Finding[]> {
  const { findings, config } = checkSettings(environment);
  if (config === null) return findings;
  const checked = await runChecks({
    secrets: () => checkSecretFiles(config),
    files: () => checkDirectory(config),
    certificate: () => checkCertificate(config, now()),
    proxy: () => checkProxy(config),
    database: () => checkDatabase(config, now, options),
    port: () => checkPort(config),
    metrics: () => checkMetrics(config),
    mail: () => checkMail(config),
    brand: () => checkBrand(config),
    backups: () => checkBackups(config, now(), { place: true }),
    machine: () => checkMachine(config),
  });
  return [...findings, ...checked];
}

/** Makes checks one after the other. A check that fails is a finding. */
export async function runChecks(
  checks: Readonly<Record<string, () => Finding[] | Promise<Finding[]>>>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(...(await check()));
    } catch (error) {
      findings.push(
        findingsOf(name).problem(`could not be checked: ${messageWithoutPeriod(error)}`, 'fix that first'),
      );
    }
  }
  return findings;
}

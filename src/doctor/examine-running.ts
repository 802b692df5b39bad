import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { checkAcme } from './check-acme.ts';
import { checkBackups } from './check-backups.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkServerClock } from './check-database.ts';
import { checkDatabaseTls } from './check-database-tls.ts';
import { checkDirectory } from './check-directory.ts';
import { checkEncryption } from './check-encryption.ts';
import { checkMachine } from './check-machine.ts';
import { checkProxy } from './check-proxy.ts';
import { checkReleaseFeed } from './check-release.ts';
import { checkSecretFiles } from './check-secret-files.ts';
import { runChecks } from './examine.ts';
import type { Finding } from './finding.ts';

/**
 * Makes the checks that a running service can make at little cost: without opening a port or calling another
 * server than the database's. Queues are not among them. Resolves to what is not fine.
 */
export async function examineRunning(
  config: Config,
  { database, now }: { database: Database; now: () => number },
): Promise<Finding[]> {
  const { postgres } = config;
  const findings = await runChecks({
    secrets: () => checkSecretFiles(config),
    files: () => checkDirectory(config),
    certificate: () => checkCertificate(config, now()),
    authority: () => checkAcme(database, config, now()),
    proxy: () => checkProxy(config),
    database: () => (postgres === null ? [] : checkDatabaseTls(postgres)),
    clock: async () => (postgres === null ? [] : [await checkServerClock(database, now)]),
    encryption: () => checkEncryption(database, config),
    backups: () => checkBackups(config, now(), { place: false }),
    machine: () => checkMachine(config),
    version: () => checkReleaseFeed(database, config),
  });
  return findings.filter(({ result }) => result !== 'ok');
}

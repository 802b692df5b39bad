import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { readMigrations, SCHEMA_VERSION } from '../../database/migrate.ts';
import type { Finding } from '../../doctor/finding.ts';
import { readNodes, type SystemNode } from '../../nodes/read-nodes.ts';
import { findNewRelease } from '../../releases/release-notice.ts';
import type { KeptRead } from '../../shared/kept-read.ts';
import type { SettingInEffect } from '../../shared/text-settings.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { VERSION } from '../../version.ts';
import type { BackupState, Backups } from './backups.ts';
import { readCertificate, type ServedCertificate } from './read-certificate.ts';

export interface DatabaseState {
  engine: 'sqlite' | 'postgresql';
  schema_version: number;
  migrations: { version: number; purpose: string; applied_at: string }[];
}

/** The newest release, if it is newer than the process that responds. */
export interface AvailableRelease {
  version: string;
  /** Whether it fixes a vulnerability in the version of the process. */
  security: boolean;
  url: string | null;
}

/** The settings, certificate, backups and findings are of the process that responds. */
export interface System {
  version: string;
  new_release: AvailableRelease | null;
  node_js: string;
  nodes: SystemNode[];
  findings: Finding[];
  database: DatabaseState;
  certificate: ServedCertificate | null;
  backups: BackupState;
  settings: readonly SettingInEffect[];
}

interface Services {
  config: Config;
  database: Database;
  now: () => number;
  installation: KeptRead<Finding[]>;
  backups: Backups;
}

export async function readSystem(services: Services): Promise<System> {
  const { config, database, installation, backups } = services;
  const [nodes, findings, migrations, certificate, backupState, release] = await Promise.all([
    readNodes(services),
    installation.read(),
    readMigrations(database),
    readCertificate(config, database),
    backups.read(),
    findNewRelease(database, config.releaseFeed),
  ]);
  return {
    version: VERSION,
    new_release: release && { version: release.version, security: release.isSecurity, url: release.url },
    node_js: process.versions.node,
    nodes,
    findings,
    database: {
      engine: config.postgres === null ? 'sqlite' : 'postgresql',
      schema_version: migrations.at(-1)?.version ?? SCHEMA_VERSION,
      migrations: migrations.map(({ version, purpose, appliedAt }) => ({
        version,
        purpose,
        applied_at: formatTime(appliedAt),
      })),
    },
    certificate,
    backups: backupState,
    settings: config.settings,
  };
}

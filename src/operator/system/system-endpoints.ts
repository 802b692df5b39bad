import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Finding } from '../../doctor/finding.ts';
import { sendCreated, sendJson } from '../../http/responses/respond.ts';
import { INTERVAL_MS } from '../../nodes/intervals.ts';
import { readMetrics } from '../../nodes/read-nodes.ts';
import type { KeptRead } from '../../shared/kept-read.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { systemTag } from '../tags.ts';
import type { Backups } from './backups.ts';
import { readSystem } from './read-system.ts';
import { backupSuccess, metricsSuccess, type SystemMetrics, systemSuccess } from './system-schema.ts';

interface Services extends OperatorWriteServices {
  config: Config;
  installation: KeptRead<Finding[]>;
  backups: Backups;
}

const shared = { tag: systemTag, scope: 'system', pathParameters: {}, parameters: {} } as const;

export function systemEndpoints(app: FastifyInstance, services: Services): void {
  const { backups, overloadControl } = services;
  registerOperatorEndpoint(app, services, {
    ...shared,
    method: 'GET',
    path: '/system',
    name: 'retrieveSystem',
    summary: 'Retrieve the state of the service',
    description:
      'Returns the version and a newer one, the processes that serve the database, findings about the installation, migrations, the ' +
      'certificate, backups, and all settings with their source. Settings, certificate, backups and findings are from the ' +
      'machine of the process that responds. Secrets are never returned.',
    statuses: [200, 304],
    success: systemSuccess,
    handle: async ({ request, reply }) => {
      await sendJson(request, reply, JSON.stringify(await readSystem(services)));
    },
  });
  registerOperatorEndpoint(app, services, {
    ...shared,
    method: 'GET',
    path: '/system/metrics',
    name: 'retrieveSystemMetrics',
    summary: 'Retrieve measurements of the last 24 hours',
    description:
      'Returns what each process measured, with a point for each five minutes. They are kept in the database for 24 hours; for longer, ' +
      'scrape `/metrics`.',
    statuses: [200, 304],
    success: metricsSuccess,
    handle: async ({ request, reply }) => {
      const nodes = await readMetrics(services);
      const metrics: SystemMetrics = { interval_seconds: INTERVAL_MS / 1000, nodes };
      await sendJson(request, reply, JSON.stringify(metrics));
    },
  });
  registerOperatorEndpoint(app, services, {
    ...shared,
    method: 'POST',
    path: '/system/backup',
    name: 'backUp',
    summary: 'Back up the database',
    description:
      'Writes a backup of the SQLite database to the place of the setting `BACKUP_TO`, and responds when it is complete and was ' +
      'read back, which takes some seconds for each gigabyte, and longer over a network. Requests are served meanwhile. The backup ' +
      'does not contain the key file. Then the oldest backups beyond `BACKUP_KEEP` are deleted.',
    statuses: [201, 409],
    success: backupSuccess,
    handle: async ({ request, reply, caller: { who } }) => {
      const backup = await overloadControl.runOutside(() => backups.create(who));
      await sendCreated(request, reply, JSON.stringify(backup));
    },
  });
}

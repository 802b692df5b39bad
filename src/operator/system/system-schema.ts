import type { Finding } from '../../doctor/finding.ts';
import { results } from '../../doctor/finding.ts';
import type { Success } from '../../http/endpoint/declaration.ts';
import { nonNegativeNumber, orNull, record, type Schema, time } from '../../http/schema.ts';
import type { NodeMetrics, NodePoint, SystemNode } from '../../nodes/read-nodes.ts';
import { type SettingInEffect, settingSources } from '../../shared/text-settings.ts';
import type { BackupFile, BackupState } from './backups.ts';
import type { ServedCertificate } from './read-certificate.ts';
import type { AvailableRelease, DatabaseState, System } from './read-system.ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

const node = record<SystemNode>(
  'SystemNode',
  'A process that serves the database, or did so in the last day.',
  {
    id: { ...text, description: 'Another one at each start.' },
    host: { ...text, description: 'The name of the machine.' },
    pid: { ...count, description: 'The ID of the process.' },
    version: { ...text, description: 'The version of Tradepost.' },
    started_at: time,
    seen_at: time,
    running: { type: 'boolean', description: 'Whether it was seen in the last two and a half minutes.' },
  },
);

const finding = record<Finding>('InstallationFinding', 'What `tradepost doctor` would say, too.', {
  check: { ...text, description: 'What was checked.' },
  result: { type: 'string', enum: results },
  message: text,
  advice: { ...orNull(text), description: 'What to do; null if nothing.' },
});

const newRelease = record<AvailableRelease>(
  'AvailableRelease',
  'The newest release, which is newer than the process that responds.',
  {
    version: text,
    security: { type: 'boolean', description: 'Whether it fixes a vulnerability in that version.' },
    url: {
      ...orNull(text),
      description: 'A page that says how to upgrade; null if the feed names none.',
    },
  },
);

const database = record<DatabaseState>('DatabaseState', 'The database.', {
  engine: { type: 'string', enum: ['sqlite', 'postgresql'] },
  schema_version: count,
  migrations: {
    type: 'array',
    items: record<DatabaseState['migrations'][number]>('AppliedMigration', 'A migration that has run.', {
      version: count,
      purpose: text,
      applied_at: time,
    }),
  },
});

const certificate: Schema = {
  ...record<ServedCertificate>(
    'ServedCertificate',
    'The certificate in the file or, with TLS=acme, in the database.',
    {
      subject: text,
      issuer: text,
      names: { type: 'array', items: text, description: 'What it is valid for, as in `DNS:shop.example`.' },
      valid_from: time,
      valid_to: time,
      self_signed: { type: 'boolean', description: 'Whether the service has created it.' },
    },
  ),
};

const backupFile = record<BackupFile>('BackupFile', 'A backup of the SQLite database.', {
  file: { ...text, description: 'Its name in the place of `BACKUP_TO`.' },
  at: { ...time, description: 'When it was started: it has what was stored by then.' },
  bytes: count,
  encrypted: { type: 'boolean', description: 'Whether it is encrypted with `BACKUP_KEY`.' },
});

const backups = record<BackupState>('BackupState', 'What the service knows about backups.', {
  to: { ...orNull(text), description: 'Where backups are kept (`BACKUP_TO`); null if that is not set.' },
  every_seconds: {
    ...orNull({ type: 'number', minimum: 0 }),
    description: '`BACKUP_EVERY`; null if the service makes none by itself.',
  },
  keep: { ...orNull(count), description: '`BACKUP_KEEP`; null without `BACKUP_TO`.' },
  running: { type: 'boolean', description: 'Whether a backup is being made.' },
  unavailable: {
    ...orNull(text),
    description: 'Why the service cannot back up the database; null if it can.',
  },
  failure: {
    anyOf: [
      record<NonNullable<BackupState['failure']>>('BackupFailure', 'A backup that failed.', {
        at: time,
        reason: text,
      }),
      { type: 'null' },
    ],
    description: 'The last failure, if no backup was completed since.',
  },
  files: { type: 'array', items: backupFile, description: 'The ten newest ones, the newest first.' },
});

const setting = record<SettingInEffect>('SettingInEffect', 'A setting.', {
  name: text,
  value: {
    ...orNull(text),
    description:
      'As it was stated, or the default. Null if it is not set, or is a secret. URLs have `***` instead of a user, ' +
      'a password and the values in their query.',
  },
  source: {
    type: 'string',
    enum: settingSources,
    description: 'Where it comes from. `file`: the file of `NAME_FILE`, or a credential of systemd.',
  },
  is_secret: { type: 'boolean', description: 'Whether the value is never shown.' },
});

const exampleNode: SystemNode = {
  id: '01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
  host: 'shop-1',
  pid: 1204,
  version: '0.1.0',
  started_at: '2026-03-05T09:00:00Z',
  seen_at: '2026-03-05T09:32:00Z',
  running: true,
};

const exampleBackup: BackupFile = {
  file: 'tradepost-2026-03-05T03-30-00Z-7f3a0c41d29b8e605c17fa0bd3962e84.db.enc',
  at: '2026-03-05T03:30:00Z',
  bytes: 361_758_720,
  encrypted: true,
};

const exampleSystem: System = {
  version: '0.1.0',
  new_release: {
    version: '0.2.0',
    security: false,
    url: 'https://tradepost.example/upgrade',
  },
  node_js: '26.1.0',
  nodes: [exampleNode],
  findings: [
    {
      check: 'certificate',
      result: 'warning',
      message: 'expires in 9 days',
      advice: 'renew it; the service loads the new one without a restart',
    },
  ],
  database: {
    engine: 'sqlite',
    schema_version: 1,
    migrations: [
      { version: 1, purpose: 'create all tables and indexes', applied_at: '2026-01-12T14:05:00Z' },
    ],
  },
  certificate: {
    subject: 'CN=shop.example',
    issuer: 'C=US, O=Example Authority, CN=Example R1',
    names: ['DNS:shop.example'],
    valid_from: '2025-12-14T00:00:00Z',
    valid_to: '2026-03-14T00:00:00Z',
    self_signed: false,
  },
  backups: {
    to: 's3://backups/shop/',
    every_seconds: 86_400,
    keep: 14,
    running: false,
    unavailable: null,
    failure: null,
    files: [exampleBackup],
  },
  settings: [
    { name: 'PORT', value: '443', source: 'environment', is_secret: false },
    { name: 'WORKERS', value: '1', source: 'default', is_secret: false },
  ],
};

export const systemSuccess: Success = {
  description: 'The service.',
  schema: record<System>('System', 'The service itself.', {
    version: { ...text, description: 'The version of the process that responds.' },
    new_release: {
      anyOf: [newRelease, { type: 'null' }],
      description: 'Null if none is known, or without the setting `RELEASE_FEED`.',
    },
    node_js: { ...text, description: 'The version of Node.js.' },
    nodes: { type: 'array', items: node, description: 'Of the last day, up to 100, the newest first.' },
    findings: {
      type: 'array',
      items: finding,
      description: 'Warnings and problems of the installation, at most a minute old.',
    },
    database,
    certificate: {
      anyOf: [certificate, { type: 'null' }],
      description: 'Null if a proxy terminates TLS, or the file cannot be read.',
    },
    backups,
    settings: { type: 'array', items: setting, description: 'Every setting.' },
  }),
  examples: { system: { summary: 'One process with SQLite', value: exampleSystem } },
};

export const backupSuccess: Success = {
  status: 201,
  description: 'The backup, which is complete and checked.',
  schema: backupFile,
  examples: { backup: { summary: 'A backup', value: exampleBackup } },
};

const point = record<NodePoint>('NodePoint', 'What a process measured in five minutes.', {
  at: { ...time, description: 'When the five minutes begin.' },
  requests: { ...count, description: 'Requests of all kinds, also of pages.' },
  errors: { ...count, description: 'Responses with a status from 500 on.' },
  p50_ms: {
    ...orNull(nonNegativeNumber),
    description: 'Half of the requests took no longer, in milliseconds, estimated; null without requests.',
  },
  p99_ms: {
    ...orNull(nonNegativeNumber),
    description: '99 % of the requests took no longer, in milliseconds, estimated; null without requests.',
  },
  loop_delay_ms: {
    ...nonNegativeNumber,
    description: 'How much later than due 99 % of timers ran at most, in milliseconds.',
  },
  memory_bytes: { ...count, description: 'The memory of the process, at the end.' },
  outbox_seconds: { ...count, description: 'The age of the oldest event without a number, at the end.' },
});

/** The response of `GET /system/metrics`. */
export interface SystemMetrics {
  interval_seconds: number;
  nodes: NodeMetrics[];
}

export const metricsSuccess: Success = {
  description: 'The measurements.',
  schema: record<SystemMetrics>('SystemMetrics', 'What the processes measured in the last 24 hours.', {
    interval_seconds: { ...count, description: 'How long a point is.' },
    nodes: {
      type: 'array',
      items: record<NodeMetrics>('NodeMetrics', 'What a process measured.', {
        node,
        points: { type: 'array', items: point, maxItems: 288, description: 'By time.' },
      }),
      description: 'The newest first.',
    },
  }),
  examples: {
    metrics: {
      summary: 'One process after ten minutes',
      value: {
        interval_seconds: 300,
        nodes: [
          {
            node: exampleNode,
            points: [
              {
                at: '2026-03-05T09:25:00Z',
                requests: 4_210,
                errors: 0,
                p50_ms: 1.4,
                p99_ms: 18.2,
                loop_delay_ms: 2.1,
                memory_bytes: 143_654_912,
                outbox_seconds: 0,
              },
            ],
          },
        ],
      } satisfies SystemMetrics,
    },
  },
};

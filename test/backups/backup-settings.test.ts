import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { it } from 'node:test';
import { describePlace } from '../../src/backups/backup-settings.ts';
import { parseConfig } from '../../src/config.ts';
import { SettingError } from '../../src/shared/setting-error.ts';

const CANARY = 'canary7f3acanary7f3a';
const KEYS = { BACKUP_S3_ACCESS_KEY_ID: 'shop', BACKUP_S3_SECRET_ACCESS_KEY: CANARY };

it('BACKUP_TO is a directory or a bucket, and the other settings have defaults', () => {
  assert.equal(parseConfig({}).backups, null);
  assert.deepEqual(parseConfig({ BACKUP_TO: 'backups' }).backups, {
    place: { kind: 'directory', path: resolve('backups') },
    ...{ everyMs: 86_400_000, keep: 14, key: null },
  });
  const bucket = { ...KEYS, BACKUP_KEY: CANARY, BACKUP_EVERY: '6h', BACKUP_KEEP: '30' };
  const { backups } = parseConfig({ ...bucket, BACKUP_TO: 's3://backups/shop/one' });
  assert.deepEqual(backups, {
    place: {
      kind: 'bucket',
      bucket: {
        ...{ endpoint: 'https://s3.us-east-1.amazonaws.com', region: 'us-east-1', bucket: 'backups' },
        ...{ accessKeyId: 'shop', secretAccessKey: CANARY },
      },
      prefix: 'shop/one/',
    },
    ...{ everyMs: 21_600_000, keep: 30, key: CANARY },
  });
  assert.equal(backups && describePlace(backups.place), 's3://backups/shop/one/');
  const other = {
    BACKUP_S3_ENDPOINT: 'http://127.0.0.1:9000/',
    BACKUP_TO: 's3://backups',
    BACKUP_EVERY: 'off',
  };
  const found = parseConfig({ ...KEYS, ...other }).backups ?? assert.fail();
  assert.ok(found.place.kind === 'bucket');
  assert.deepEqual(
    [found.place.bucket.endpoint, found.place.prefix, found.everyMs],
    ['http://127.0.0.1:9000', '', null],
  );
});

it('invalid settings are named, without secrets', () => {
  const bucket = { ...KEYS, BACKUP_TO: 's3://backups' };
  const cases: [environment: Record<string, string>, name: string][] = [
    [{ BACKUP_TO: 's3://backups' }, 'BACKUP_TO'],
    [{ ...KEYS, BACKUP_TO: 's3://' }, 'BACKUP_TO'],
    [{ ...KEYS, BACKUP_TO: 's3://Up_per/x' }, 'BACKUP_TO'],
    [{ ...KEYS, BACKUP_TO: 's3://backups/a/../b' }, 'BACKUP_TO'],
    [{ ...KEYS, BACKUP_TO: 's3://backups/a//b' }, 'BACKUP_TO'],
    [{ ...KEYS, BACKUP_TO: 'https://backups.example/' }, 'BACKUP_TO'],
    [{ ...bucket, BACKUP_S3_ENDPOINT: 'backups.example' }, 'BACKUP_S3_ENDPOINT'],
    [{ ...bucket, BACKUP_S3_ENDPOINT: `https://:${CANARY}@backups.example` }, 'BACKUP_S3_ENDPOINT'],
    [{ ...bucket, BACKUP_S3_ENDPOINT: 'ftp://backups.example' }, 'BACKUP_S3_ENDPOINT'],
    [{ BACKUP_EVERY: '30s' }, 'BACKUP_EVERY'],
    [{ BACKUP_EVERY: 'daily' }, 'BACKUP_EVERY'],
    [{ BACKUP_KEEP: '0' }, 'BACKUP_KEEP'],
    [{ BACKUP_KEEP: 'all' }, 'BACKUP_KEEP'],
    [{ BACKUP_KEY: CANARY.slice(1) }, 'BACKUP_KEY'],
  ];
  for (const [environment, name] of cases) {
    assert.throws(
      () => parseConfig(environment),
      (error) => {
        assert.ok(error instanceof SettingError);
        assert.ok(error.message.startsWith(`${name} `), error.message);
        assert.ok(!error.message.includes(CANARY.slice(1)), error.message);
        return true;
      },
    );
  }
});

it('BACKUP_TO is refused with PostgreSQL, with what to use instead', () => {
  const DATABASE_URL = 'postgres://u:p@db.example/shop';
  assert.equal(parseConfig({ DATABASE_URL }).backups, null);
  assert.throws(
    () => parseConfig({ DATABASE_URL, BACKUP_TO: '/var/backups' }),
    /^SettingError: BACKUP_TO is for the embedded database, .* pg_dump, pgBackRest or WAL archiving/,
  );
});

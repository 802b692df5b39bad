import { resolve } from 'node:path';
import { readDuration } from '../shared/duration.ts';
import { SettingError } from '../shared/setting-error.ts';

/** A bucket of any server that has S3’s API. */
export interface BucketSettings {
  /** Without a slash at the end. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export type BackupPlace =
  /** `path` is absolute. */
  | { kind: 'directory'; path: string }
  /** `prefix` is empty, or ends with a slash. */
  | { kind: 'bucket'; bucket: BucketSettings; prefix: string };

export interface BackupSettings {
  place: BackupPlace;
  /** How often the service makes a backup; null if it makes none by itself. */
  everyMs: number | null;
  /** How many backups stay. */
  keep: number;
  /** Encrypts backups; null if they are not encrypted. */
  key: string | null;
}

/** How buckets are reached, as it is written; blank if it is not set. */
export interface BucketAccess {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The settings as they are written, or their defaults; blank if they are not set. */
export interface BackupValues extends BucketAccess {
  to: string;
  every: string;
  keep: string;
  key: string;
}

const MIN_KEY_CHARACTERS = 20;
const MAX_KEPT = 10_000;
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;

/** Returns null without BACKUP_TO. @throws {SettingError} */
export function parseBackupSettings(values: BackupValues): BackupSettings | null {
  const everyMs = parseEvery(values.every);
  const keep = parseKeep(values.keep);
  const key = parseKey(values.key);
  return values.to === '' ? null : { place: parsePlace('BACKUP_TO', values.to, values), everyMs, keep, key };
}

/**
 * Reads a directory, or `s3://bucket/prefix` with the other settings of the bucket. `name` is what states
 * it, for the message.
 * @throws {SettingError}
 */
export function parsePlace(
  name: string,
  to: string,
  { endpoint, region, accessKeyId, secretAccessKey }: BucketAccess,
): BackupPlace {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(to)) return { kind: 'directory', path: resolve(to) };
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/?#]+)(?:\/([^?#]*))?$/.exec(to) ?? [];
  if (!BUCKET.test(bucket) || !/^[\w!.*'()/-]*$/.test(prefix) || /\/\/|(^|\/)\.\.?(\/|$)/.test(prefix)) {
    throw new SettingError(
      `${name} is "${to}": expected a directory, or s3:// with the name of a bucket and, optionally, a prefix of letters, digits, - and /, such as s3://backups/shop.`,
    );
  }
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new SettingError(
      `${name} is "${to}", which needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY.`,
    );
  }
  return {
    kind: 'bucket',
    bucket: { endpoint: parseEndpoint(endpoint, region), region, bucket, accessKeyId, secretAccessKey },
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
  };
}

/** Returns the place as it is shown: without credentials. */
export function describePlace(place: BackupPlace): string {
  return place.kind === 'directory' ? place.path : `s3://${place.bucket.bucket}/${place.prefix}`;
}

function parseEndpoint(endpoint: string, region: string): string {
  if (endpoint === '') return `https://s3.${region}.amazonaws.com`;
  const url = URL.parse(endpoint);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.search + url.hash + url.username + url.password !== ''
  ) {
    throw new SettingError(
      'BACKUP_S3_ENDPOINT cannot be used: expected an address without a user and a query, such as https://s3.example.',
    );
  }
  return url.href.replace(/\/$/, '');
}

function parseEvery(text: string): number | null {
  if (text === 'off') return null;
  const every = readDuration(text);
  if (every !== undefined && every >= 60_000) return every;
  throw new SettingError(
    `BACKUP_EVERY is "${text}": expected a number followed by m, h or d, such as 6h, or off.`,
  );
}

function parseKeep(text: string): number {
  const keep = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (keep >= 1 && keep <= MAX_KEPT) return keep;
  throw new SettingError(`BACKUP_KEEP is "${text}": expected a whole number from 1 to ${MAX_KEPT}.`);
}

function parseKey(text: string): string | null {
  if (text === '') return null;
  if (text.length >= MIN_KEY_CHARACTERS) return text;
  throw new SettingError(
    `BACKUP_KEY has fewer than ${MIN_KEY_CHARACTERS} characters: expected a random one, such as "openssl rand -base64 32" prints.`,
  );
}

import type { BlockList } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { LETS_ENCRYPT } from './acme/acme-settings.ts';
import { parseTlsSettings, type TlsSettings } from './acme/tls-settings.ts';
import {
  type BackupSettings,
  type BackupValues,
  type BucketAccess,
  parseBackupSettings,
} from './backups/backup-settings.ts';
import type { Brand } from './brand/brand.ts';
import { parseBrand } from './brand/parse-brand.ts';
import type { Budgets } from './budgets/budgets.ts';
import { parseBudgets } from './budgets/parse-budgets.ts';
import {
  basePath,
  METRICS_ADDRESS,
  metrics,
  operatorAddress,
  publicUrl,
  releaseFeed,
  tracesUrl,
} from './config-addresses.ts';
import { AddressError, type PostgresAddress, parsePostgresAddress } from './database/postgres/address.ts';
import { type MailSettings, parseMailSettings } from './mail/mail-settings.ts';
import { type OidcSettings, parseOidcSettings } from './oidc/oidc-settings.ts';
import { messageOf } from './shared/error-message.ts';
import { SettingError } from './shared/setting-error.ts';
import {
  addresses,
  amount,
  type ExplainedName,
  explainedNames,
  limit,
  oneOf,
  onOrOff,
  wholeNumber,
} from './shared/setting-values.ts';
import { type SecretSource, type SettingInEffect, TextSettings } from './shared/text-settings.ts';

const adPacings = ['even', 'fast'] as const;
export type AdPacing = (typeof adPacings)[number];

export interface Config {
  /** Has the SQLite database and the self-signed certificate; absolute. */
  dataDirectory: string;
  /** Absolute. */
  encryptionKeyFile: string;
  /** Null for the SQLite database in the data directory. */
  postgres: PostgresAddress | null;
  /** How long startup waits for an unreachable PostgreSQL server. */
  databaseWaitMs: number;
  host: string;
  port: number;
  /** Begins with a slash and ends with the segment `v1`, without a slash at the end. */
  basePath: string;
  tls: TlsSettings;
  /** Their `X-Forwarded-` headers are trusted. */
  trustedProxies: BlockList;
  workers: number;
  logLevel: string;
  /** Requests per minute of one key; null for no limit. */
  rateLimit: number | null;
  /** Requests per minute from one network (`networkOf`); null for no limit. */
  addressRateLimit: number | null;
  /** Rejected tokens per minute from one network; null for no limit. */
  authFailureLimit: number | null;
  /** Per process. One network may have half of them. */
  maxConnections: number;
  /** Serves metrics and health; null for no server. `isDefault` if METRICS_ADDRESS is not set. */
  metrics: { host: string; port: number; isDefault: boolean } | null;
  /** Serves the operator API instead of HOST and PORT; null to serve it there. */
  operatorAddress: { host: string; port: number } | null;
  /** Receives traces with OTLP over HTTP; null for no traces. */
  tracesUrl: string | null;
  /** The document that names the newest release; null for no notice of new versions. */
  releaseFeed: string | null;
  /** The highest quantity that counts as low. */
  lowInventory: number;
  /** The percentage of a lifetime budget that is announced when it is spent. */
  lowBudget: number;
  /** Whether products compete with bid × quality, instead of the bid alone. */
  adQuality: boolean;
  /** How many tries the sell rate of a product's category counts as, in its quality. */
  adQualityWeight: number;
  /** The price of a placement: what was needed to win it, or the bid. */
  adPricing: 'second' | 'first';
  /** The least price of a placement, in the major unit, where a request states none. */
  adFloor: number;
  /** How daily budgets are spent: spread over the day, or as soon as possible. */
  adPacing: AdPacing;
  /** The limit for a product file. */
  maxUploadBytes: number;
  eventRetentionDays: number;
  /** How long the customer's data of a closed order is kept. */
  customerRetentionDays: number;
  /** How long the history of products and campaigns is kept. */
  historyRetentionDays: number;
  /** Where the operator's webhooks may be. */
  webhookNetworks: BlockList;
  checkImages: boolean;
  /** Null to send no mail. */
  mail: MailSettings | null;
  /** The campaign types that may be created; null for any. */
  campaignTypes: ExplainedName[] | null;
  /** Whether merchants may state only categories that the operator has set, once it has set some. */
  onlyListedCategories: boolean;
  /** Whether products wait for a review of the operator once a merchant creates or changes them. */
  moderationQueue: boolean;
  /**
   * The public origin, such as `https://shop.example`. If null, the console's requests are checked against
   * the host that they name, links use HOST and PORT, and the OpenAPI documents state no origin.
   */
  publicUrl: string | null;
  selfRegistration: boolean;
  requireTwoFactor: boolean;
  /** Who signs operators in; null for passwords alone. */
  oidc: OidcSettings | null;
  /** Who signs merchants' users in; null for passwords alone. */
  merchantOidc: OidcSettings | null;
  budgets: Budgets;
  /** Null without BACKUP_TO, and on PostgreSQL. */
  backups: BackupSettings | null;
  /** Also without BACKUP_TO, to restore from elsewhere. */
  backupKey: string | null;
  bucketAccess: BucketAccess;
  /** What the other members were read from, without secrets. */
  settings: readonly SettingInEffect[];
  /** The files that settings were read from, except credentials of systemd. */
  secretFiles: readonly SecretSource[];
  brand: Brand;
}

export { SettingError };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * All settings are in docs/reference/settings.md.
 * @throws {SettingError} for the first invalid one
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const settings = new TextSettings(environment);
  const text = (name: string, fallback: string): string => settings.read(name, fallback);
  const dataDirectory = resolve(text('DATA_DIR', './data'));
  const postgres = optional(text('DATABASE_URL', ''), postgresAddress);
  const backupKey = text('BACKUP_KEY', '');
  const bucketAccess = {
    endpoint: text('BACKUP_S3_ENDPOINT', ''),
    region: text('BACKUP_S3_REGION', 'us-east-1'),
    accessKeyId: text('BACKUP_S3_ACCESS_KEY_ID', ''),
    secretAccessKey: text('BACKUP_S3_SECRET_ACCESS_KEY', ''),
  };
  const merchantOidc = parseOidcSettings('MERCHANT_OIDC_', {
    issuer: text('MERCHANT_OIDC_ISSUER', ''),
    clientId: text('MERCHANT_OIDC_CLIENT_ID', ''),
    clientSecret: text('MERCHANT_OIDC_CLIENT_SECRET', ''),
    name: text('MERCHANT_OIDC_NAME', 'single sign-on'),
    roleClaim: text('MERCHANT_OIDC_ROLE_CLAIM', 'tradepost_merchant_role'),
    merchantClaim: text('MERCHANT_OIDC_MERCHANT_CLAIM', 'tradepost_merchant'),
    only: onOrOff('MERCHANT_OIDC_ONLY', text('MERCHANT_OIDC_ONLY', 'off')),
    isStated: ['NAME', 'ROLE_CLAIM', 'MERCHANT_CLAIM'].some((end) => settings.isSet(`MERCHANT_OIDC_${end}`)),
  });
  const origin = optional(text('PUBLIC_URL', ''), publicUrl);
  const files = { certificateFile: text('TLS_CERT_FILE', ''), keyFile: text('TLS_KEY_FILE', '') };
  const acme = {
    hosts: text('ACME_HOSTS', ''),
    directory: text('ACME_DIRECTORY', LETS_ENCRYPT),
    email: text('ACME_EMAIL', ''),
    caFile: text('ACME_CA_FILE', ''),
    acceptsTerms: onOrOff('ACME_ACCEPT_TERMS', text('ACME_ACCEPT_TERMS', 'off')),
  };
  const tls = parseTlsSettings(text('TLS', 'own'), { ...files, acme }, origin);
  return {
    dataDirectory,
    encryptionKeyFile: resolve(text('ENCRYPTION_KEY_FILE', join(dataDirectory, 'encryption.keys'))),
    postgres,
    databaseWaitMs: 1000 * wholeNumber('DATABASE_WAIT', text('DATABASE_WAIT', '30'), 0, 86_400),
    host: text('HOST', '127.0.0.1'),
    port: wholeNumber('PORT', text('PORT', '8443'), 0, 65_535),
    basePath: basePath(text('BASE_PATH', '/v1')),
    tls,
    trustedProxies: addresses('TRUST_PROXY', text('TRUST_PROXY', '')),
    workers: workers(text('WORKERS', '1')),
    logLevel: oneOf('LOG_LEVEL', text('LOG_LEVEL', 'info'), LOG_LEVELS),
    rateLimit: limit('RATE_LIMIT', text('RATE_LIMIT', '60000')),
    addressRateLimit: limit('ADDRESS_RATE_LIMIT', text('ADDRESS_RATE_LIMIT', '300000')),
    authFailureLimit: limit('AUTH_FAILURE_LIMIT', text('AUTH_FAILURE_LIMIT', '100')),
    maxConnections: wholeNumber('MAX_CONNECTIONS', text('MAX_CONNECTIONS', '10000'), 1, 1_000_000),
    metrics: metrics(text('METRICS_ADDRESS', METRICS_ADDRESS), settings.isSet('METRICS_ADDRESS')),
    operatorAddress: optional(text('OPERATOR_ADDRESS', ''), operatorAddress),
    tracesUrl: tracesUrl(
      text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ''),
      text('OTEL_EXPORTER_OTLP_ENDPOINT', ''),
      text('OTEL_SDK_DISABLED', 'false'),
    ),
    releaseFeed: optional(text('RELEASE_FEED', ''), releaseFeed),
    lowInventory: wholeNumber('LOW_INVENTORY', text('LOW_INVENTORY', '5'), 0, 2 ** 31 - 1),
    lowBudget: wholeNumber('LOW_BUDGET', text('LOW_BUDGET', '80'), 1, 100),
    adQuality: onOrOff('AD_QUALITY', text('AD_QUALITY', 'on')),
    adQualityWeight: wholeNumber('AD_QUALITY_WEIGHT', text('AD_QUALITY_WEIGHT', '50'), 1, 1_000_000),
    adPricing: oneOf('AD_PRICING', text('AD_PRICING', 'second'), ['second', 'first']),
    adFloor: amount('AD_FLOOR', text('AD_FLOOR', '0.01')),
    adPacing: oneOf('AD_PACING', text('AD_PACING', 'even'), adPacings),
    maxUploadBytes: 1024 * 1024 * wholeNumber('MAX_UPLOAD', text('MAX_UPLOAD', '512'), 1, 1_000_000),
    eventRetentionDays: wholeNumber('EVENT_RETENTION', text('EVENT_RETENTION', '30'), 1, 3_650),
    customerRetentionDays: wholeNumber('CUSTOMER_RETENTION', text('CUSTOMER_RETENTION', '30'), 1, 3_650),
    historyRetentionDays: wholeNumber('HISTORY_RETENTION', text('HISTORY_RETENTION', '90'), 1, 3_650),
    webhookNetworks: addresses('WEBHOOK_NETWORKS', text('WEBHOOK_NETWORKS', '')),
    checkImages: onOrOff('CHECK_IMAGES', text('CHECK_IMAGES', 'on')),
    mail: mail(text('SMTP_URL', ''), text('MAIL_FROM', '')),
    campaignTypes: optional(text('CAMPAIGN_TYPES', ''), (value) => explainedNames('CAMPAIGN_TYPES', value)),
    onlyListedCategories: onOrOff('ONLY_LISTED_CATEGORIES', text('ONLY_LISTED_CATEGORIES', 'off')),
    moderationQueue: onOrOff('MODERATION_QUEUE', text('MODERATION_QUEUE', 'off')),
    publicUrl: origin,
    selfRegistration: registration(
      onOrOff('SELF_REGISTRATION', text('SELF_REGISTRATION', 'off')),
      merchantOidc,
    ),
    requireTwoFactor: onOrOff('REQUIRE_TWO_FACTOR', text('REQUIRE_TWO_FACTOR', 'off')),
    oidc: parseOidcSettings('OIDC_', {
      issuer: text('OIDC_ISSUER', ''),
      clientId: text('OIDC_CLIENT_ID', ''),
      clientSecret: text('OIDC_CLIENT_SECRET', ''),
      name: text('OIDC_NAME', 'single sign-on'),
      roleClaim: text('OIDC_ROLE_CLAIM', 'tradepost_role'),
      only: onOrOff('OIDC_ONLY', text('OIDC_ONLY', 'off')),
      isStated: ['NAME', 'ROLE_CLAIM'].some((end) => settings.isSet(`OIDC_${end}`)),
    }),
    merchantOidc,
    budgets: budgets(text('BUDGETS', '')),
    backups: backups(postgres !== null, {
      to: text('BACKUP_TO', ''),
      every: text('BACKUP_EVERY', '1d'),
      keep: text('BACKUP_KEEP', '14'),
      key: backupKey,
      ...bucketAccess,
    }),
    backupKey: backupKey || null,
    bucketAccess,
    settings: settings.inEffect,
    secretFiles: settings.secretFiles,
    brand: parseBrand({
      name: text('BRAND_NAME', ''),
      logo: text('BRAND_LOGO', ''),
      color: text('BRAND_COLOR', ''),
      support: text('SUPPORT_URL', ''),
    }),
  };
}

function backups(isPostgres: boolean, values: BackupValues): BackupSettings | null {
  const parsed = parseBackupSettings(values);
  if (parsed === null || !isPostgres) return parsed;
  throw new SettingError(
    'BACKUP_TO is for the embedded database, and DATABASE_URL is set: unset BACKUP_TO, and back up PostgreSQL with pg_dump, pgBackRest or WAL archiving (docs/how-to/back-up.md).',
  );
}

function registration(isOpen: boolean, merchantOidc: OidcSettings | null): boolean {
  if (isOpen && merchantOidc?.only)
    throw new SettingError(
      'SELF_REGISTRATION is on, which needs passwords: set it, or MERCHANT_OIDC_ONLY, to off.',
    );
  return isOpen;
}

function optional<T>(value: string, parse: (value: string) => T): T | null {
  return value === '' ? null : parse(value);
}

function postgresAddress(value: string): PostgresAddress {
  try {
    return parsePostgresAddress(value);
  } catch (error) {
    // Leaves out the value, which may contain a password.
    if (error instanceof AddressError)
      throw new SettingError(`DATABASE_URL cannot be used: ${error.message}.`);
    throw error;
  }
}

function mail(url: string, from: string): MailSettings | null {
  if (url === '' && from === '') return null;
  if (url === '' || from === '')
    throw new SettingError('SMTP_URL and MAIL_FROM belong together: set both or neither.');
  return parseMailSettings(url, from);
}

function workers(value: string): number {
  if (value === 'auto') return availableParallelism();
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value);
  throw new SettingError(`WORKERS is "${value}": expected a whole number from 1 to 999, or auto.`);
}

function budgets(value: string): Budgets {
  try {
    return parseBudgets(value);
  } catch (error) {
    throw new SettingError(`BUDGETS: ${messageOf(error)}.`);
  }
}

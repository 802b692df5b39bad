import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { Brand } from './brand/brand.ts';
import { BrandError, parseBrand } from './brand/parse-brand.ts';
import type { Budgets } from './budgets/budgets.ts';
import { parseBudgets } from './budgets/parse-budgets.ts';
import { AddressError, type PostgresAddress, parsePostgresAddress } from './database/postgres/address.ts';
import { type MailSettings, MailSettingsError, parseMailSettings } from './mail/mail-settings.ts';
import {
  type OidcSettings,
  OidcSettingsError,
  type OidcValues,
  parseOidcSettings,
} from './oidc/oidc-settings.ts';
import { messageOf } from './shared/error-message.ts';
import { type SettingInEffect, TextSettings } from './shared/text-settings.ts';

const adPacings = ['even', 'fast'] as const;
export type AdPacing = (typeof adPacings)[number];

export interface CampaignType {
  name: string;
  /** For merchants; null if the operator gives none. */
  explanation: string | null;
}

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
  tls: { mode: 'own'; certificateFile: string | null; keyFile: string | null } | { mode: 'proxy' };
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
  /** Where the operator's webhooks may be. */
  webhookNetworks: BlockList;
  /** Null to send no mail. */
  mail: MailSettings | null;
  /** The campaign types that may be created; null for any. */
  campaignTypes: CampaignType[] | null;
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
  /** Where backups that operators start are written; absolute. Null if they cannot start any. */
  backupDirectory: string | null;
  /** What the other members were read from, without secrets. */
  settings: readonly SettingInEffect[];
  brand: Brand;
}

/** The message names the setting, what was expected, and the value unless it could contain a password. */
export class SettingError extends Error {
  override name = 'SettingError';
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * All settings are in docs/reference/settings.md.
 * @throws {SettingError} for the first invalid one
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const settings = new TextSettings(environment);
  const text = (name: string, fallback: string): string => settings.read(name, fallback);
  const dataDirectory = resolve(text('DATA_DIR', './data'));
  const merchantOidc = singleSignOn('MERCHANT_OIDC_', {
    issuer: text('MERCHANT_OIDC_ISSUER', ''),
    clientId: text('MERCHANT_OIDC_CLIENT_ID', ''),
    clientSecret: text('MERCHANT_OIDC_CLIENT_SECRET', ''),
    name: text('MERCHANT_OIDC_NAME', 'single sign-on'),
    roleClaim: text('MERCHANT_OIDC_ROLE_CLAIM', 'tradepost_merchant_role'),
    merchantClaim: text('MERCHANT_OIDC_MERCHANT_CLAIM', 'tradepost_merchant'),
    only: onOrOff('MERCHANT_OIDC_ONLY', text('MERCHANT_OIDC_ONLY', 'off')),
    isStated: ['NAME', 'ROLE_CLAIM', 'MERCHANT_CLAIM'].some((end) => settings.isSet(`MERCHANT_OIDC_${end}`)),
  });
  return {
    dataDirectory,
    encryptionKeyFile: resolve(text('ENCRYPTION_KEY_FILE', join(dataDirectory, 'encryption.keys'))),
    postgres: optional(text('DATABASE_URL', ''), postgresAddress),
    databaseWaitMs: 1000 * wholeNumber('DATABASE_WAIT', text('DATABASE_WAIT', '30'), 0, 86_400),
    host: text('HOST', '127.0.0.1'),
    port: wholeNumber('PORT', text('PORT', '8443'), 0, 65_535),
    basePath: basePath(text('BASE_PATH', '/v1')),
    tls: tls(text('TLS', 'own'), text('TLS_CERT_FILE', ''), text('TLS_KEY_FILE', '')),
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
    webhookNetworks: addresses('WEBHOOK_NETWORKS', text('WEBHOOK_NETWORKS', '')),
    mail: mail(text('SMTP_URL', ''), text('MAIL_FROM', '')),
    campaignTypes: optional(text('CAMPAIGN_TYPES', ''), campaignTypes),
    onlyListedCategories: onOrOff('ONLY_LISTED_CATEGORIES', text('ONLY_LISTED_CATEGORIES', 'off')),
    moderationQueue: onOrOff('MODERATION_QUEUE', text('MODERATION_QUEUE', 'off')),
    publicUrl: optional(text('PUBLIC_URL', ''), publicUrl),
    selfRegistration: registration(
      onOrOff('SELF_REGISTRATION', text('SELF_REGISTRATION', 'off')),
      merchantOidc,
    ),
    requireTwoFactor: onOrOff('REQUIRE_TWO_FACTOR', text('REQUIRE_TWO_FACTOR', 'off')),
    oidc: singleSignOn('OIDC_', {
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
    backupDirectory: optional(text('BACKUP_DIR', ''), (directory) => resolve(directory)),
    settings: settings.inEffect,
    brand: brand(text('BRAND_NAME', ''), text('BRAND_LOGO', ''), text('BRAND_COLOR', '')),
  };
}

function singleSignOn(prefix: 'OIDC_' | 'MERCHANT_OIDC_', values: OidcValues): OidcSettings | null {
  try {
    return parseOidcSettings(prefix, values);
  } catch (error) {
    if (error instanceof OidcSettingsError) throw new SettingError(error.message);
    throw error;
  }
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
  try {
    return parseMailSettings(url, from);
  } catch (error) {
    if (error instanceof MailSettingsError) throw new SettingError(error.message);
    throw error;
  }
}

function brand(name: string, logo: string, color: string): Brand {
  try {
    return parseBrand({ name, logo, color });
  } catch (error) {
    if (error instanceof BrandError) throw new SettingError(error.message);
    throw error;
  }
}

function workers(value: string): number {
  if (value === 'auto') return availableParallelism();
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value);
  throw new SettingError(`WORKERS is "${value}": expected a whole number from 1 to 999, or auto.`);
}

function campaignTypes(value: string): CampaignType[] {
  // Explanations are in parentheses and may contain commas.
  const items = value.match(/(?:[^,()]|\([^()]*\))+|[()]/g) ?? [];
  const types = items
    .map((item) => /^([^()]*[^()\s])\s*(?:\(([^()]*)\))?$/.exec(item.trim()))
    .map((match) => match && { name: match[1] ?? '', explanation: match[2]?.trim() || null });
  const named = types.filter((type) => type !== null);
  if (named.length > 0 && items.filter((item) => item.trim() !== '').length === named.length) return named;
  throw new SettingError(
    `CAMPAIGN_TYPES is "${value}": expected names separated by commas, each optionally followed by an explanation in parentheses, or nothing.`,
  );
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function wholeNumber(name: string, value: string, minimum: number, maximum: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new SettingError(`${name} is "${value}": expected a whole number from ${minimum} to ${maximum}.`);
}

function amount(name: string, value: string): number {
  const number = /^\d{1,7}(\.\d{1,4})?$/.test(value) ? Number(value) : Number.NaN;
  if (number <= 1_000_000) return number;
  throw new SettingError(
    `${name} is "${value}": expected an amount from 0 to 1000000 with at most 4 decimals, such as 0.05.`,
  );
}

function limit(name: string, value: string): number | null {
  if (value === 'off') return null;
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number < 2 ** 31) return number;
  throw new SettingError(`${name} is "${value}": expected a whole number from 1 to ${2 ** 31 - 1}, or off.`);
}

function budgets(value: string): Budgets {
  try {
    return parseBudgets(value);
  } catch (error) {
    throw new SettingError(`BUDGETS: ${messageOf(error)}.`);
  }
}

const METRICS_ADDRESS = '127.0.0.1:9464';

function metrics(value: string, isSet: boolean): Config['metrics'] {
  if (value === 'off') return null;
  const address = hostAndPort(value);
  if (address !== undefined) return { ...address, isDefault: !isSet };
  throw new SettingError(
    `METRICS_ADDRESS is "${value}": expected an address and a port, such as ${METRICS_ADDRESS}, or off.`,
  );
}

function operatorAddress(value: string): { host: string; port: number } {
  const address = hostAndPort(value);
  if (address !== undefined) return address;
  throw new SettingError(
    `OPERATOR_ADDRESS is "${value}": expected an address and a port, such as 10.0.0.7:8444.`,
  );
}

function hostAndPort(value: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, port = ''] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(value) ?? [];
  const host = bracketed ?? plain;
  return host !== undefined && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

function tracesUrl(traces: string, all: string, disabled: string): string | null {
  const [name, value] = traces === '' ? ['ENDPOINT', all] : ['TRACES_ENDPOINT', traces];
  if (value === '' || disabled.toLowerCase() === 'true') return null;
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new SettingError(
      `OTEL_EXPORTER_OTLP_${name} is "${value}": expected an http:// or https:// address.`,
    );
  }
  // The setting is a base URL for all signals. The path for traces is appended.
  if (traces === '') url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

function oneOf<Allowed extends string>(
  name: string,
  value: string,
  allowed: readonly NoInfer<Allowed>[],
): Allowed {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw new SettingError(`${name} is "${value}": expected one of ${allowed.join(', ')}.`);
}

function onOrOff(name: string, value: string): boolean {
  return oneOf(name, value, ['on', 'off']) === 'on';
}

function basePath(value: string): string {
  if (/^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/v1$/.test(value) && !/^\/(console|operator)\//.test(value))
    return value;
  throw new SettingError(
    `BASE_PATH is "${value}": expected a path whose last segment is v1 and whose first segment is neither console nor operator, such as /v1.`,
  );
}

function publicUrl(value: string): string {
  const url = URL.parse(value);
  if (url?.protocol === 'https:' && `${url.origin}/` === url.href) return url.origin;
  throw new SettingError(
    `PUBLIC_URL is "${value}": expected an https:// address without a path, such as https://shop.example.`,
  );
}

function tls(mode: string, certificateFile: string, keyFile: string): Config['tls'] {
  oneOf('TLS', mode, ['own', 'proxy']);
  if ((certificateFile === '') !== (keyFile === '')) {
    throw new SettingError('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or neither.');
  }
  if (mode === 'own') return { mode, certificateFile: certificateFile || null, keyFile: keyFile || null };
  if (certificateFile === '') return { mode: 'proxy' };
  throw new SettingError('TLS is "proxy", which needs no certificate: unset TLS_CERT_FILE and TLS_KEY_FILE.');
}

function addresses(name: string, value: string): BlockList {
  const networks = new BlockList();
  for (const item of list(value)) {
    const [address = '', prefix, ...rest] = item.split('/');
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const length = prefix === undefined ? bits : Number(/^\d+$/.test(prefix) ? prefix : Number.NaN);
    if (version === 0 || rest.length > 0 || !(length <= bits)) {
      throw new SettingError(
        `${name} has "${item}": expected addresses or networks separated by commas, such as 10.0.0.7 or 10.0.0.0/8.`,
      );
    }
    networks.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  }
  return networks;
}

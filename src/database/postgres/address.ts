import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { userInfo } from 'node:os';
import type { ConnectionOptions } from 'node:tls';

/** How much TLS the connection to the server needs, as libpq's `sslmode` has it. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** What the service needs is a server that takes writes, so these all mean the same to it. */
const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary'];

export interface PostgresHost {
  /** A name, an address, or the directory of a Unix socket. */
  host: string;
  port: number;
}

/** Where a PostgreSQL database is and how to get into it. */
export interface PostgresAddress {
  /** At least one; the one that takes writes is used. */
  hosts: PostgresHost[];
  user: string;
  password: string;
  database: string;
  sslMode: SslMode;
  sslRootCertificateFile: string | null;
  sslCertificateFile: string | null;
  sslKeyFile: string | null;
  applicationName: string;
  /** False where a pooler in between does not pass prepared statements on. */
  prepare: boolean;
}

/** An address that cannot be used; the message never holds the password. */
export class AddressError extends Error {
  override name = 'AddressError';
}

// No @ after the hosts: with one, it is most likely a password's / or ? that is not written as it has to be.
const SHAPE = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^@/?#]*))?(?:\?([^@#]*))?$/;

/**
 * Reads `postgres://user:password@host:port,host:port/database?parameter=value`, with the parameters of
 * libpq that docs/reference/settings.md lists, and `prepare`.
 * @throws {AddressError}
 */
export function parsePostgresAddress(text: string): PostgresAddress {
  const [whole, credentials = '', authority = '', database = '', query = ''] = SHAPE.exec(text) ?? [];
  if (whole === undefined) {
    throw new AddressError('expected postgres://user:password@host:5432/database');
  }
  const separator = credentials.indexOf(':');
  const user = decode(separator < 0 ? credentials : credentials.slice(0, separator)) || userInfo().username;
  const parameters = new Map(new URLSearchParams(query));
  const take = (name: string, fallback: string): string => {
    const value = parameters.get(name) ?? fallback;
    parameters.delete(name);
    return value;
  };
  const sockets = take('host', '');
  const address: PostgresAddress = {
    hosts: (sockets || authority).split(',').map(parseHost),
    user,
    password: separator < 0 ? '' : decode(credentials.slice(separator + 1)),
    database: decode(database) || user,
    sslMode: oneOf('sslmode', take('sslmode', 'prefer'), SSL_MODES),
    sslRootCertificateFile: take('sslrootcert', '') || null,
    sslCertificateFile: take('sslcert', '') || null,
    sslKeyFile: take('sslkey', '') || null,
    applicationName: take('application_name', 'tradepost'),
    prepare: oneOf('prepare', take('prepare', 'true'), ['true', 'false']) === 'true',
  };
  oneOf('target_session_attrs', take('target_session_attrs', 'any'), SESSION_ATTRIBUTES);
  const [unknown] = parameters.keys();
  if (unknown !== undefined) throw new AddressError(`its parameter ${unknown} is not known here`);
  return address;
}

/** The hosts of an address, for messages. */
export function describeHosts({ hosts }: Pick<PostgresAddress, 'hosts'>): string {
  return hosts.map(({ host, port }) => `${isIPv6(host) ? `[${host}]` : host}:${port}`).join(', ');
}

function parseHost(text: string): PostgresHost {
  const [whole, bracketed, plain = '', port = '5432'] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (whole === undefined || Number(port) < 1 || Number(port) > 65_535) {
    // Not repeated: it may be the beginning of a password.
    throw new AddressError('a host of it is none: expected host or host:port');
  }
  return { host: bracketed ?? (decode(plain) || 'localhost'), port: Number(port) };
}

function oneOf<Word extends string>(name: string, value: string, allowed: readonly Word[]): Word {
  const found = allowed.find((word) => word === value);
  if (found !== undefined) return found;
  throw new AddressError(`its parameter ${name} is "${value}": expected one of ${allowed.join(', ')}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError('a % in it is not followed by two hexadecimal digits: write a % itself as %25');
  }
}

/** TLS to the server: whether it goes on without where the server has none, and what `tls.connect` needs. */
export interface TlsChoice {
  optional: boolean;
  options: ConnectionOptions;
}

/**
 * Null where there is to be no TLS.
 * @throws {AddressError} when a file that it names cannot be read
 */
export function tlsChoice(address: PostgresAddress): TlsChoice | null {
  const { sslMode, sslRootCertificateFile, sslCertificateFile, sslKeyFile } = address;
  if (sslMode === 'disable') return null;
  const files = {
    ...(sslCertificateFile !== null && { cert: read('sslcert', sslCertificateFile) }),
    ...(sslKeyFile !== null && { key: read('sslkey', sslKeyFile) }),
  };
  const optional = sslMode === 'allow' || sslMode === 'prefer';
  const ca = sslRootCertificateFile === null ? null : read('sslrootcert', sslRootCertificateFile);
  // As libpq has it: whoever asks for TLS and names a root certificate wants it to count.
  if (optional || (sslMode === 'require' && ca === null))
    return { optional, options: { ...files, rejectUnauthorized: false } };
  const options = {
    ...files,
    ...(ca !== null && { ca }),
    rejectUnauthorized: true,
    ...(sslMode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
  return { optional, options };
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new AddressError(`its parameter ${name} names a file that cannot be read: ${reason}`);
  }
}

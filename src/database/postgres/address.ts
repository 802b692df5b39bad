import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { userInfo } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { messageOf } from '../../shared/error-message.ts';

/** The values of libpq's `sslmode`. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** All have the same effect, as the service always needs a server that accepts writes. */
const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary'];

export interface PostgresHost {
  /** A host name, an IP address, or the directory of a Unix socket. */
  host: string;
  port: number;
}

export interface PostgresAddress {
  /** The one that accepts writes is used. */
  hosts: PostgresHost[];
  user: string;
  password: string;
  database: string;
  sslMode: SslMode;
  sslRootCertificateFile: string | null;
  sslCertificateFile: string | null;
  sslKeyFile: string | null;
  applicationName: string;
  /** False for a pooler without support for prepared statements. */
  prepare: boolean;
}

/** The message never contains the password. */
export class AddressError extends Error {
  override name = 'AddressError';
}

// No @ may follow the hosts: it most likely means that a / or ? in the password is not percent-encoded.
const SHAPE = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^@/?#]*))?(?:\?([^@#]*))?$/;

/**
 * Parses `postgres://user:password@host:port,host:port/database?parameter=value`; docs/reference/settings.md
 * has the parameters.
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
  if (unknown !== undefined) throw new AddressError(`unknown parameter ${unknown}`);
  return address;
}

export function describeHosts({ hosts }: Pick<PostgresAddress, 'hosts'>): string {
  return hosts.map(({ host, port }) => `${isIPv6(host) ? `[${host}]` : host}:${port}`).join(', ');
}

function parseHost(text: string): PostgresHost {
  const [whole, bracketed, plain = '', port = '5432'] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (whole === undefined || Number(port) < 1 || Number(port) > 65_535) {
    // Not repeated in the message: it may be the beginning of a password.
    throw new AddressError('invalid host: expected host or host:port');
  }
  return { host: bracketed ?? (decode(plain) || 'localhost'), port: Number(port) };
}

function oneOf<Word extends string>(name: string, value: string, allowed: readonly Word[]): Word {
  const found = allowed.find((word) => word === value);
  if (found !== undefined) return found;
  throw new AddressError(`parameter ${name} is "${value}": expected one of ${allowed.join(', ')}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError('a % is not followed by two hexadecimal digits: write a literal % as %25');
  }
}

export interface TlsChoice {
  /** Whether to connect without TLS if the server does not support it. */
  optional: boolean;
  options: ConnectionOptions;
}

/**
 * Returns the TLS settings of an address; null for connections without TLS.
 * @throws {AddressError} if a file that the address names cannot be read
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
  // As in libpq, a root certificate makes `require` verify the server's certificate.
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
    throw new AddressError(`parameter ${name} names a file that cannot be read: ${messageOf(error)}`);
  }
}

import { isEmailAddress } from '../shared/email-address.ts';
import { SettingError } from '../shared/setting-error.ts';

/** Encrypted from the beginning, with STARTTLS, which is then required, or not at all. */
type MailTls = 'implicit' | 'starttls' | 'off';

export interface MailServer {
  host: string;
  port: number;
  tls: MailTls;
  /** Null to send without authentication. */
  credentials: { user: string; password: string } | null;
  /** PEM certificates to trust instead of the usual ones; null for the usual ones. */
  caFile: string | null;
}

interface MailSender {
  name: string;
  address: string;
}

export interface MailSettings {
  server: MailServer;
  from: MailSender;
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const EXAMPLE = 'smtp://user:password@mail.example:587';
/** A name that needs no quoting, and an address. */
const SENDER = /^(?:([^\p{Cc}<>"\\]{1,100}?)\s*<([^<>]+)>|([^<>]+))$/u;

/** Reads SMTP_URL and MAIL_FROM. @throws {SettingError} */
export function parseMailSettings(url: string, from: string): MailSettings {
  return { server: parseServer(url), from: parseSender(from) };
}

function parseServer(text: string): MailServer {
  const url = URL.parse(text);
  const scheme = url?.protocol;
  if (url === null || (scheme !== 'smtp:' && scheme !== 'smtps:') || url.hostname === '')
    throw invalid(`expected smtp:// or smtps:// and a host, such as ${EXAMPLE}`);
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '')
    throw invalid(
      `expected nothing after the port but parameters; write special characters of a password as %XX`,
    );
  const parameters = new Map(url.searchParams);
  const isOff = parameters.get('tls') === 'off';
  if (parameters.has('tls') && (!isOff || scheme === 'smtps:'))
    throw invalid('the parameter tls can only be off, and only with smtp://');
  const caFile = parameters.get('ca') ?? null;
  if (caFile === '') throw invalid('the parameter ca must name a file');
  for (const name of parameters.keys()) {
    if (name !== 'tls' && name !== 'ca') throw invalid('only the parameters tls and ca are known');
  }
  const credentials = parseCredentials(url);
  if (isOff && credentials !== null)
    throw invalid('a password is never sent without TLS: remove tls=off, or the user and the password');
  return {
    host: decode(url.hostname).replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORTS[scheme] : Number(url.port),
    tls: scheme === 'smtps:' ? 'implicit' : isOff ? 'off' : 'starttls',
    credentials,
    caFile,
  };
}

function parseCredentials({ username, password }: URL): MailServer['credentials'] {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') throw invalid('expected both a user and a password, or neither');
  return { user: decode(username), password: decode(password) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('a % is not followed by two hexadecimal digits: write a literal % as %25');
  }
}

// Leaves out the value, which may contain a password.
function invalid(reason: string): SettingError {
  return new SettingError(`SMTP_URL cannot be used: ${reason}.`);
}

function parseSender(text: string): MailSender {
  const [, name = '', bracketed, plain] = SENDER.exec(text) ?? [];
  const address = bracketed ?? plain ?? '';
  if (isEmailAddress(address.toLowerCase())) return { name, address };
  throw new SettingError(
    `MAIL_FROM is "${text}": expected an address, such as no-reply@shop.example or Shop <no-reply@shop.example>.`,
  );
}

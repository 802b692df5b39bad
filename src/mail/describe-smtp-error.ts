import type { NodemailerError } from 'nodemailer';

/** A file that SMTP_URL names cannot be read. */
export class MailFileError extends Error {
  override name = 'MailFileError';
}

/** Their refusal is about one mail; a rejected MAIL FROM is a configuration error. */
const MAIL_COMMANDS = ['RCPT TO', 'DATA', 'API'];

/** Another attempt would fail too. */
export function isFinal(error: unknown): boolean {
  const { code, command = '', responseCode, permanent = false } = asSmtpError(error);
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  return MAIL_COMMANDS.includes(command) && (permanent || responseCode === undefined);
}

/** Attempts for other mails would fail too. */
export function isOfServer(error: unknown): boolean {
  const { code } = asSmtpError(error);
  return code !== 'EENVELOPE' && code !== 'EMESSAGE';
}

/** Names only codes: the server's texts can repeat addresses, and messages any part of a connection. */
export function describeSmtpError(error: unknown): string {
  if (error instanceof MailFileError) return error.message;
  const { code = 'unknown error', originalCode = code, command, responseCode } = asSmtpError(error);
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return `the server did not accept the user and the password${responseCode === undefined ? '' : ` (${responseCode})`}`;
  if (responseCode !== undefined)
    return command === undefined || command === 'CONN'
      ? `the server responded with ${responseCode}`
      : `the server responded to ${command} with ${responseCode}`;
  if (code === 'EDNS') return 'the host name has no address';
  if (/CERT|VERIFY|SIGNED|ALTNAME/.test(originalCode))
    return `the server’s certificate is not valid (${originalCode})`;
  switch (originalCode) {
    case 'ETIMEDOUT':
    case 'EABORT':
      return 'the server did not respond in time';
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ECONNRESET':
    case 'ECONNECTION':
    case 'EPIPE':
      return 'the connection was closed';
    case 'ETLS':
      return 'the connection could not be encrypted';
    default:
      return `the connection failed (${originalCode})`;
  }
}

function asSmtpError(error: unknown): NodemailerError {
  return error instanceof Error ? error : new Error('unknown error');
}

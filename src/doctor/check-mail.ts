import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';

/** The mail server must accept the user and the password. Sends no mail. */
export async function checkMail({
  mail,
  publicUrl,
  selfRegistration,
}: Pick<Config, 'mail' | 'publicUrl' | 'selfRegistration'>): Promise<Finding[]> {
  const found = findingsOf('mail');
  if (mail === null && selfRegistration) {
    return [
      found.warning(
        'SELF_REGISTRATION is on but SMTP_URL is not set, so the emails of new users are not verified',
        'set SMTP_URL and MAIL_FROM, or SELF_REGISTRATION=off',
      ),
    ];
  }
  if (mail === null) return [found.ok('SMTP_URL is not set, so no mail is sent')];
  const { SmtpClient } = await import('../mail/smtp-client.ts');
  const { host, port, tls } = mail.server;
  const name = `${host}:${port}`;
  const failure = await new SmtpClient(mail).verify();
  if (failure !== undefined) {
    const advice = 'check SMTP_URL and the mail server; mails wait for it for about a day';
    return [found.problem(`${name} cannot be used: ${failure}`, advice)];
  }
  if (publicUrl === null) {
    return [
      found.warning(
        'PUBLIC_URL is not set, so links in mails lead to HOST and PORT',
        'set PUBLIC_URL to the address that users open',
      ),
    ];
  }
  return [found.ok(`${name} can be used${tls === 'off' ? ', without TLS' : ''}`)];
}

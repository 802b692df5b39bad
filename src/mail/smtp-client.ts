import { readFile } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import { describeSmtpError, isFinal, isOfServer, MailFileError } from './describe-smtp-error.ts';
import type { MailServer, MailSettings } from './mail-settings.ts';
import type { MailImage, RenderedMail } from './render-mail.ts';

/** How long a server may be silent until the connection is open, and then until its greeting. */
const CONNECT_MS = 10_000;
/** How long a server may be silent between two responses. */
const SILENCE_MS = 20_000;

export interface OutgoingMail extends RenderedMail {
  /** The same on every attempt, so that recipients can recognize a repetition. */
  id: string;
  address: string;
}

/** Reasons contain no text of the server, which could repeat addresses. */
export type SendResult =
  | { outcome: 'sent' }
  /** The server refused this mail for good. */
  | { outcome: 'refused'; reason: string }
  /** `ofServer`: attempts for other mails would have failed too. */
  | { outcome: 'failed'; reason: string; ofServer: boolean };

/** As `SmtpClient.send`. */
export type SendMail = (mail: OutgoingMail, signal: AbortSignal) => Promise<SendResult>;

/** Each mail has a connection of its own. */
export class SmtpClient {
  readonly #settings: MailSettings;

  constructor(settings: MailSettings) {
    this.#settings = settings;
  }

  /** Attempts once, until the signal. Never rejects: an error is part of the result. */
  async send(mail: OutgoingMail, signal: AbortSignal): Promise<SendResult> {
    const { id, address, subject, text, html, image } = mail;
    const { from } = this.#settings;
    try {
      const transport = await this.#open();
      await transport.sendMail({
        messageId: `<${id}@${from.address.split('@').at(-1)}>`,
        from,
        to: { name: '', address },
        subject,
        text,
        html,
        ...(image !== null && { attachments: [attachmentOf(image)] }),
        // Keeps absence notices from replying.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      });
      return { outcome: 'sent' };
    } catch (error) {
      const reason = describeSmtpError(error);
      if (isFinal(error)) return { outcome: 'refused', reason };
      return { outcome: 'failed', reason, ofServer: isOfServer(error) };
    }
  }

  /** Resolves to why it failed to connect or authenticate; undefined if it succeeded. */
  async verify(): Promise<string | undefined> {
    try {
      const transport = await this.#open();
      await transport.verify();
      return undefined;
    } catch (error) {
      return describeSmtpError(error);
    }
  }

  async #open() {
    const { host, port, tls, credentials, caFile } = this.#settings.server;
    return createTransport({
      host,
      port,
      secure: tls === 'implicit',
      requireTLS: tls === 'starttls',
      ignoreTLS: tls === 'off',
      ...(credentials !== null && { auth: { user: credentials.user, pass: credentials.password } }),
      tls: { minVersion: 'TLSv1.2', ...(caFile !== null && { ca: await readCertificates(caFile) }) },
      dnsTimeout: CONNECT_MS,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
}

function attachmentOf({ cid, type, bytes }: MailImage) {
  return { cid, contentType: type, content: Buffer.from(bytes), contentDisposition: 'inline' as const };
}

/** Reads the file for each attempt, so that a new one takes effect without a restart. */
async function readCertificates(file: NonNullable<MailServer['caFile']>): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw new MailFileError('the file that the parameter ca of SMTP_URL names cannot be read');
  }
}

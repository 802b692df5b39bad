import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { MailDeliveries } from '../../mail/mail-deliveries.ts';
import type { SendMail } from '../../mail/smtp-client.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { mailComposer } from './compose-mail.ts';

/** Null if no mail server is set. */
export function createMailDeliveries({
  config,
  database,
  send,
  now,
  logger,
  metrics,
}: {
  config: Config;
  database: Database;
  send: SendMail;
  now: () => number;
  logger: FastifyBaseLogger;
  metrics: Metrics;
}): MailDeliveries | null {
  if (config.mail === null) return null;
  const deliveries = new MailDeliveries({
    database,
    send,
    compose: mailComposer({ config, now }),
    onOutcome: (outcome) => metrics.mail(outcome),
    onFailure: ({ reason, mail }) =>
      logger.warn({ reason, ...(mail && { mail: mail.id, kind: mail.kind }) }, 'mail not sent'),
    onError: (error) => logger.warn({ err: error }, 'mails not sent; trying again'),
  });
  metrics.gauge(
    'mails_waiting',
    'Mails that are not sent yet, of all processes.',
    () => deliveries.queue.waiting,
    { aggregator: 'max' },
  );
  metrics.gauge(
    'mail_oldest_seconds',
    'Age of the oldest mail that is not sent yet.',
    () => deliveries.queue.oldestSeconds,
    { aggregator: 'max' },
  );
  return deliveries;
}

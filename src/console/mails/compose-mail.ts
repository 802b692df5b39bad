import type { Config } from '../../config.ts';
import type { Connection } from '../../database/database.ts';
import type { ComposeMail } from '../../mail/mail-deliveries.ts';
import { readMailData } from '../../mail/new-mail.ts';
import type { MailRow } from '../../mail/queries.ts';
import { type MailContent, renderMail } from '../../mail/render-mail.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import { findMarketplaceName } from '../../operators/marketplace-name.ts';
import { addPasswordToken, consoleUrl, passwordLink, RESET_LIFETIME_MS } from '../../users/password-link.ts';
import { findUserByEmail, findUserById, type UserRow } from '../../users/queries.ts';
import { addRegistrationToken, registrationLink } from '../registration/registration-link.ts';
import {
  accountExistsContent,
  confirmEmailContent,
  importFinishedContent,
  invitationContent,
  keysExpiringContent,
  type PasswordMail,
  passwordResetContent,
  webhookDisabledContent,
} from './contents.ts';

interface ComposerServices {
  config: Pick<Config, 'publicUrl' | 'host' | 'port' | 'brand'>;
  now: () => number;
}

/**
 * Each attempt to send a link creates a token, so the queue contains none. Links of earlier mails keep
 * working, because a user may have got them.
 */
export function mailComposer(services: ComposerServices): ComposeMail {
  return async (connection, mail) => {
    const { brand } = services.config;
    const marketplace = await findMarketplaceName(connection, brand);
    const content = await contentOf({ ...services, marketplace }, connection, mail);
    return content && renderMail(content, { ...brand, name: marketplace });
  };
}

interface NamedServices extends ComposerServices {
  /** The name of the marketplace. */
  marketplace: string;
}

async function contentOf(
  services: NamedServices,
  connection: Connection,
  mail: MailRow,
): Promise<MailContent | undefined> {
  const { user_id: userId, address, merchant_id: merchantId } = mail;
  const user =
    userId === null
      ? await connection.first(findUserByEmail, { email: address })
      : await connection.first(findUserById, { userId });
  if (mail.kind === 'registration') return await composeRegistration(services, connection, { address, user });
  if (user === undefined && (userId !== null || merchantId === null)) return undefined;
  const merchant = await connection.first(findMerchantById, {
    merchantId: merchantId ?? user?.merchant_id ?? 0,
  });
  if (merchant === undefined) return undefined;
  return await compose(services, connection, { mail, user, merchantName: merchant.name });
}

interface Parts {
  mail: MailRow;
  user: UserRow | undefined;
  merchantName: string;
}

async function composeRegistration(
  { config, now, marketplace }: NamedServices,
  connection: Connection,
  { address, user }: { address: string; user: UserRow | undefined },
): Promise<MailContent> {
  if (user !== undefined) return accountExistsContent({ marketplace, url: `${consoleUrl(config)}/sign-in` });
  const token = await addRegistrationToken(connection, address, now());
  return confirmEmailContent({ marketplace, url: registrationLink(config, token) });
}

async function compose(
  services: NamedServices,
  connection: Connection,
  { mail, user, merchantName }: Parts,
): Promise<MailContent | undefined> {
  const { kind } = mail;
  const notice = { merchantName, url: consoleUrl(services.config) };
  switch (kind) {
    case 'invitation':
    case 'password_reset': {
      if (user === undefined) return undefined;
      const password = await withLink(services, connection, { user, merchantName, kind });
      return kind === 'invitation' ? invitationContent(password) : passwordResetContent(password);
    }
    case 'keys_expiring':
      return keysExpiringContent({ ...notice, data: readMailData(kind, mail) });
    case 'webhook_disabled':
      return webhookDisabledContent({ ...notice, data: readMailData(kind, mail) });
    case 'import_finished':
      return importFinishedContent({ ...notice, data: readMailData(kind, mail) });
  }
}

async function withLink(
  { config, now, marketplace }: NamedServices,
  connection: Connection,
  { user, merchantName, kind }: { user: UserRow; merchantName: string; kind: MailRow['kind'] },
): Promise<PasswordMail> {
  const token = await addPasswordToken(connection, user, now(), {
    keepsOthers: true,
    ...(kind === 'password_reset' && { lifetimeMs: RESET_LIFETIME_MS }),
  });
  return { marketplace, merchantName, email: user.email, url: passwordLink(consoleUrl(config), token) };
}

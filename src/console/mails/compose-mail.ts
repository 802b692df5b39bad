import type { Config } from '../../config.ts';
import type { Connection } from '../../database/database.ts';
import type { ComposeMail } from '../../mail/mail-deliveries.ts';
import { readMailData } from '../../mail/new-mail.ts';
import type { MailRow } from '../../mail/queries.ts';
import { type MailContent, renderMail } from '../../mail/render-mail.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import { findMarketplaceName } from '../../operators/marketplace-name.ts';
import { hasSeenPassword } from '../../users/end-password.ts';
import { findUserAnywhere, findUserOfPerson, type UserRow } from '../../users/membership-queries.ts';
import {
  addInvitationToken,
  addPasswordToken,
  consoleUrl,
  joinLink,
  passwordLink,
  RESET_LIFETIME_MS,
} from '../../users/password-link.ts';
import { findAccount, findPersonByEmail } from '../../users/queries.ts';
import { addRegistrationToken, registrationLink } from '../registration/registration-link.ts';
import {
  accountExistsContent,
  confirmEmailContent,
  importFinishedContent,
  invitationContent,
  keysExpiringContent,
  passwordResetContent,
  shopInvitationContent,
  signInContent,
  webhookDisabledContent,
} from './contents.ts';

interface ComposerServices {
  config: Pick<Config, 'publicUrl' | 'host' | 'port' | 'brand' | 'merchantOidc'>;
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
  if (mail.kind === 'registration') {
    // Registration needs passwords.
    if (services.config.merchantOidc?.only) return undefined;
    return await composeRegistration(services, connection, address);
  }
  const user =
    userId === null || merchantId === null
      ? await connection.first(findUserAnywhere, { email: address })
      : await connection.first(findUserOfPerson, { userId, merchantId });
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
  address: string,
): Promise<MailContent> {
  const person = await connection.first(findPersonByEmail, { email: address });
  if (person !== undefined)
    return accountExistsContent({ marketplace, url: `${consoleUrl(config)}/sign-in` });
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
      return await composeLink(services, connection, { user, merchantName, kind });
    }
    case 'keys_expiring':
      return keysExpiringContent({ ...notice, data: readMailData(kind, mail) });
    case 'webhook_disabled':
      return webhookDisabledContent({ ...notice, data: readMailData(kind, mail) });
    case 'import_finished':
      return importFinishedContent({ ...notice, data: readMailData(kind, mail) });
  }
}

/**
 * Someone who asks for a new password before having an account accepts an invitation by setting one. If
 * passwords are off, nothing of the mail is about them.
 */
async function composeLink(
  { config, now, marketplace }: NamedServices,
  connection: Connection,
  { user, merchantName, kind }: { user: UserRow; merchantName: string; kind: MailRow['kind'] },
): Promise<MailContent> {
  const isReset = kind === 'password_reset';
  const { merchantOidc: provider } = config;
  const content = { marketplace, merchantName, email: user.email };
  if (provider?.only && (isReset || user.accepted === 1))
    return signInContent({ ...content, provider, url: `${consoleUrl(config)}/sign-in` });
  const hasAccount = (await connection.first(findAccount, { userId: user.id })) !== undefined;
  const setsPassword = user.accepted === 1 || (isReset && hasAccount);
  const token = await (setsPassword ? addPasswordToken : addInvitationToken)(connection, user, now(), {
    keepsOthers: true,
    ...(isReset && { lifetimeMs: RESET_LIFETIME_MS }),
  });
  const url = passwordLink(consoleUrl(config), token);
  if (isReset) return passwordResetContent({ ...content, url });
  const isKnown = hasAccount && !(await hasSeenPassword({ connection }, user.id));
  if (setsPassword || !(isKnown || provider?.only)) return invitationContent({ ...content, provider, url });
  const joinUrl = joinLink(consoleUrl(config), token);
  return shopInvitationContent({ ...content, provider, isKnown, url: joinUrl });
}

import { parseKeyId } from '../../api-keys/key-id.ts';
import { modeOf } from '../../database/sides.ts';
import type { MailData } from '../../mail/mail-data.ts';
import type { MailContent } from '../../mail/render-mail.ts';
import type { OidcSettings } from '../../oidc/oidc-settings.ts';

const MAX_NAME_LENGTH = 100;

/** Shorter, because anyone can be invited by anyone, and people read a subject without opening the email. */
const MAX_SUBJECT_NAME_LENGTH = 40;

export interface PasswordMail {
  /** The name of the marketplace, which the console has. */
  marketplace: string;
  merchantName: string;
  email: string;
  url: string;
}

/** For a person who sets a password, unless the identity provider, if there is one, signs the person in. */
export function invitationContent({
  marketplace,
  merchantName,
  email,
  url,
  provider,
}: PasswordMail & { provider: Pick<OidcSettings, 'name'> | null }): MailContent {
  const merchant = quote(merchantName);
  return {
    subject: `Set your password for ${quote(merchantName, MAX_SUBJECT_NAME_LENGTH)}`,
    before: [
      `You were invited to the ${marketplace} console of ${merchant}. Open this link to set your password:`,
    ],
    link: { label: 'Set your password', url },
    after: [
      `The link works once, within 72 hours. Then sign in with ${email} and your password.`,
      ...(provider === null
        ? []
        : [
            `You don’t need a password if you sign in with ${provider.name}, where your email must be ${email}.`,
          ]),
    ],
  };
}

interface ShopMail extends PasswordMail {
  /** Who can sign the person in, or has to if there are no passwords. */
  provider: Pick<OidcSettings, 'name' | 'only'> | null;
  /** Whether the person is a user of another shop. */
  isKnown: boolean;
}

/** For a person who needs no new password: one of another shop, or anybody if passwords are off. */
export function shopInvitationContent(mail: ShopMail): MailContent {
  const { marketplace, merchantName, url, isKnown } = mail;
  return {
    subject: `Join ${quote(merchantName, MAX_SUBJECT_NAME_LENGTH)}`,
    before: [
      `You were invited to the ${marketplace} console of ${quote(merchantName)}. Open this link to accept the invitation:`,
    ],
    link: { label: 'Accept the invitation', url },
    after: [
      `The link works once, within 72 hours. Sign in ${waysToSignIn(mail)}${isKnown ? ', as for your other shops' : ''}.`,
      'If you don’t want to join, ignore this email.',
    ],
  };
}

function waysToSignIn({ email, provider }: Pick<ShopMail, 'email' | 'provider'>): string {
  if (provider === null) return `with ${email} and your password`;
  return provider.only
    ? `with ${provider.name}, where your email must be ${email}`
    : `as ${email}, with ${provider.name} or your password`;
}

/** For a user whose password does not work, because passwords are off. `url` is the sign-in page. */
export function signInContent(mail: PasswordMail & Pick<ShopMail, 'provider'>): MailContent {
  const { marketplace, merchantName, email, url } = mail;
  return {
    subject: `Sign in to ${quote(merchantName, MAX_SUBJECT_NAME_LENGTH)}`,
    before: [
      `${email} is a user of the ${marketplace} console of ${quote(merchantName)}. Open this link to sign in:`,
    ],
    link: { label: 'Sign in', url },
    after: [`Sign in ${waysToSignIn(mail)}.`, 'If you didn’t request this, ignore this email.'],
  };
}

export function passwordResetContent({ marketplace, merchantName, email, url }: PasswordMail): MailContent {
  return {
    subject: 'Set a new password',
    before: [
      `A new password was requested for ${email} in the ${marketplace} console of ${quote(merchantName)}. Open this link to set it:`,
    ],
    link: { label: 'Set a new password', url },
    after: [
      'The link works once, within one hour.',
      'If you didn’t request this, ignore this email. Your password stays the same.',
    ],
  };
}

type LinkToConsole = Pick<PasswordMail, 'marketplace' | 'url'>;

/** `url` registers a shop. A stranger who enters another person's email can choose none of the text. */
export function confirmEmailContent({ marketplace, url }: LinkToConsole): MailContent {
  return {
    subject: 'Confirm your email',
    before: [
      `This email was entered to register a shop in the ${marketplace} console. Open this link to confirm the email and register your shop:`,
    ],
    link: { label: 'Confirm your email', url },
    after: [
      'The link works once, within one hour.',
      'If you didn’t request this, ignore this email. No account is created.',
    ],
  };
}

/** `url` is the sign-in page. */
export function accountExistsContent({ marketplace, url }: LinkToConsole): MailContent {
  return {
    subject: 'You already have an account',
    before: [
      `This email was entered to register a shop in the ${marketplace} console, but it already has an account. Open this link to sign in:`,
    ],
    link: { label: 'Sign in', url },
    after: [
      'If you forgot your password, that page can send you a link to set a new one.',
      'If you didn’t request this, ignore this email. Your account stays the same.',
    ],
  };
}

/** `url` is the console's. */
interface Notice<Data> {
  merchantName: string;
  url: string;
  data: Data;
}

export function keysExpiringContent({
  merchantName,
  url,
  data: { keys, total },
}: Notice<MailData['keys_expiring']>): MailContent {
  const lines = keys.map(({ id, name, expires_at }) => {
    const isTest = modeOf(parseKeyId(id)?.merchantId ?? 0) === 'test';
    return `${isTest ? 'Test key' : 'Key'} ${id} ${quote(name)}: ${formatUtc(expires_at)}`;
  });
  const rest = total > keys.length ? [`and ${total - keys.length} more`] : [];
  return {
    subject: total === 1 ? 'An API key expires soon' : `${total} API keys expire soon`,
    before: [
      `${total === 1 ? 'This API key' : 'These API keys'} of ${quote(merchantName)} will expire:`,
      ...lines,
      ...rest,
      'Requests with an expired key are rejected. Rotate a key to get a new token for it:',
    ],
    link: { label: 'Open the keys in the console', url: `${url}/keys` },
    after: [],
  };
}

export function webhookDisabledContent({
  merchantName,
  url,
  data,
}: Notice<MailData['webhook_disabled']>): MailContent {
  // The rest of the URL can contain secrets.
  const host = URL.parse(data.url)?.host ?? '';
  const reason =
    data.reason === 'gone' ? 'it responded with 410 (Gone)' : 'all deliveries have failed for five days';
  return {
    subject: 'A webhook was disabled',
    before: [
      `The webhook at ${host} of ${quote(merchantName)} was disabled, because ${reason}.`,
      'Its events are kept. Enable the webhook again, then resend the events that it missed:',
    ],
    link: { label: 'Open the webhooks in the console', url: `${url}/webhooks` },
    after: [],
  };
}

const importEnds = { done: 'has finished', failed: 'has failed', canceled: 'was canceled' } as const;

export function importFinishedContent({
  merchantName,
  url,
  data,
}: Notice<MailData['import_finished']>): MailContent {
  const { id, name, state, failure, created, updated, unchanged, rejected } = data;
  const count = (number: number): string => number.toLocaleString('en');
  return {
    subject: `Your import ${importEnds[state]}`,
    before: [
      `The import of ${quote(name)} into the catalog of ${quote(merchantName)} ${importEnds[state]}.`,
      ...(failure === null ? [] : [failure]),
      `Products: ${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged, ${count(rejected)} rejected.`,
    ],
    link: { label: 'Open the import in the console', url: `${url}/products/import?id=${id}` },
    after: [],
  };
}

function quote(name: string, maxLength = MAX_NAME_LENGTH): string {
  const characters = [...name];
  const isLong = characters.length > maxLength;
  return `“${isLong ? `${characters.slice(0, maxLength).join('')}…` : name}”`;
}

/** Formats an RFC 3339 time as `2026-03-01 09:32 UTC`. */
function formatUtc(time: string | null): string {
  return time === null ? 'never' : `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

import type { MailKind } from '../../mail/mail-data.ts';

/** The kinds of mail that users may turn off. The others are about their account, or they ask for each one. */
export const optionalMails = ['keys_expiring', 'webhook_disabled'] as const satisfies MailKind[];
export type OptionalMail = (typeof optionalMails)[number];

/** The column with the mails that a user has turned off. */
interface Muting {
  /** Kinds separated by commas. */
  muted_mails: string;
}

/** Whether a user wants mails of this kind. */
export function wantsMail({ muted_mails: muted }: Muting, kind: MailKind): boolean {
  return !muted.split(',').includes(kind);
}

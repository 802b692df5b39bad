import type { MailKind } from '../../mail/mail-data.ts';

/** The mails that users may turn off. The others are about their account, or were asked for. */
export const optionalMails = ['keys_expiring', 'webhook_disabled'] as const satisfies MailKind[];
export type OptionalMail = (typeof optionalMails)[number];

interface Muting {
  muted_mails: string;
}

export function wantsMail({ muted_mails: muted }: Muting, kind: MailKind): boolean {
  return !muted.split(',').includes(kind);
}

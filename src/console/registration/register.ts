import type { Connection, Database } from '../../database/database.ts';
import type { DomainError } from '../../errors/domain-error.ts';
import { InvalidMerchant } from '../../merchants/check-merchant.ts';
import { addMerchant } from '../../merchants/create-merchant.ts';
import { NameTaken } from '../../merchants/take-name.ts';
import type { PasswordQueue } from '../auth/password-queue.ts';
import { COMMON_PASSWORD, formError } from '../errors.ts';
import { addUser, InvalidUser } from '../users/add-user.ts';
import { takeConfirmedEmail } from './queries.ts';
import type { Form } from './read-form.ts';

const merchantFields = {
  name: 'merchant_name',
  email: 'email',
  timeZone: 'time_zone',
  currency: 'currency',
  externalId: 'external_id',
} as const;

/** Strangers must not learn which shops there are. */
const TAKEN_NAME = 'This shop name isn’t available. Choose another one.';

export interface Registration extends Omit<Form, 'emailOrToken'> {
  email: string;
  /** The hash of the link's token; null without a mail server. */
  linkHash: string | null;
  /** Random. */
  registrationId: string;
}

/**
 * Of several registrations with one link, one succeeds.
 * @throws {DomainError} 400 for a link that does not work, and for invalid fields, which keep the link valid
 */
export async function register(
  { database, now, passwords }: { database: Database; now: () => number; passwords: PasswordQueue },
  { merchant_name, time_zone, name, email, password, linkHash, registrationId }: Registration,
): Promise<void> {
  if (await passwords.isCommon(password, { email, name, merchantName: merchant_name })) {
    throw formError([{ field: 'password', reason: COMMON_PASSWORD }]);
  }
  // Not in the transaction, which would stay open during the hashing.
  const passwordHash = await passwords.hash(password);
  try {
    await database.transaction(async (connection) => {
      if (linkHash !== null) await takeLink(connection, linkHash, now());
      const merchant = { name: merchant_name, email, timeZone: time_zone, registrationId };
      const merchantId = await addMerchant(connection, database.dialect, merchant, now());
      await addUser(connection, { merchantId, name, email, passwordHash }, now());
    });
  } catch (error) {
    throw toFormError(error);
  }
}

export function linkGone(): DomainError {
  return formError([{ field: 'token', reason: 'This link has expired or was already used.' }]);
}

async function takeLink(connection: Connection, identifierHash: string, now: number): Promise<void> {
  const taken = await connection.first(takeConfirmedEmail, { identifierHash, now });
  if (taken === undefined) throw linkGone();
}

function toFormError(error: unknown): unknown {
  if (error instanceof NameTaken) return formError([{ field: 'merchant_name', reason: TAKEN_NAME }]);
  if (error instanceof InvalidMerchant) {
    return formError(
      error.problems.map(({ field, message }) => ({ field: merchantFields[field], reason: message })),
    );
  }
  if (error instanceof InvalidUser) return formError([{ field: error.field, reason: error.message }]);
  return error;
}

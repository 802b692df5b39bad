import { merchantUser } from '../../audit/record-audit.ts';
import type { Connection, Database } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import { addMerchant, asOperator } from '../../merchants/create-merchant.ts';
import { addUser } from '../../users/add-user.ts';
import type { PasswordQueue } from '../auth/password-queue.ts';
import { COMMON_PASSWORD } from '../errors.ts';
import { takeConfirmedEmail } from './queries.ts';

/** Does not say which shops there are, because strangers can register. */
const TAKEN_NAME = 'This shop name isn’t available. Choose another one.';

export interface Registration extends Record<'merchant_name' | 'time_zone' | 'name' | 'password', string> {
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
  if (await passwords.isCommon(password, { email, name, placeName: merchant_name })) {
    throw errors.invalid_fields([{ field: 'password', reason: COMMON_PASSWORD }]);
  }
  // Not in the transaction, which would stay open during the hashing.
  const passwordHash = await passwords.hash(password);
  await database.transaction(
    async (connection) => {
      if (linkHash !== null) await takeLink(connection, linkHash, now());
      const merchant = { name: merchant_name, email, timeZone: time_zone, registrationId };
      const added = addMerchant({ ...asOperator({ database }), connection, now: now() }, merchant);
      const merchantId = await added.catch((error) => {
        throw error instanceof DomainError ? inForm(error) : error;
      });
      const who = merchantUser({ name, email });
      const isConfirmed = linkHash !== null;
      await addUser({ connection, merchantId, who, now: now() }, { name, email, passwordHash, isConfirmed });
    },
    { everyNode: true },
  );
}

export function linkGone(): DomainError {
  return errors.invalid_fields([{ field: 'token', reason: 'This link has expired or was already used.' }]);
}

async function takeLink(connection: Connection, identifierHash: string, now: number): Promise<void> {
  const taken = await connection.first(takeConfirmedEmail, { identifierHash, now });
  if (taken === undefined) throw linkGone();
}

/** The field `name` of the form is the user's. */
function inForm({ code, problems }: DomainError): DomainError {
  return errors.invalid_fields(
    problems.map(({ field, reason }) =>
      field === 'name'
        ? { field: 'merchant_name', reason: code === 'name_taken' ? TAKEN_NAME : reason }
        : { field, reason },
    ),
  );
}

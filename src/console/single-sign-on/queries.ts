import { statement } from '../../database/statement.ts';

export const deleteExpiredVerifications = statement<{ now: number }, never>(
  'DELETE FROM user_verifications WHERE expires_at <= :now',
);

export const takeVerification = statement<{ identifierHash: string; now: number }, { value: string }>(
  `DELETE FROM user_verifications WHERE identifier_hash = :identifierHash AND expires_at > :now
   RETURNING value`,
);

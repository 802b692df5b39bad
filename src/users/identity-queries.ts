import { statement } from '../database/statement.ts';

/** Who a person is at an identity provider. `realm` is the table of the users. */
export interface Identity {
  realm: string;
  issuer: string;
  subject: string;
}

/** `role_by_claim` is 0 or 1. */
export const findIdentity = statement<Identity, { user_id: string; role_by_claim: number }>(
  `SELECT user_id, role_by_claim FROM user_identities
   WHERE realm = :realm AND issuer = :issuer AND subject = :subject`,
);

/** Changes nothing if the user has another identity at the provider, or another user has this one. */
export const insertIdentity = statement<Identity & { userId: string; now: number }, never>(
  `INSERT INTO user_identities (realm, issuer, subject, user_id, role_by_claim, created_at)
   VALUES (:realm, :issuer, :subject, :userId, 0, :now) ON CONFLICT DO NOTHING`,
);

export const deleteIdentity = statement<Identity, never>(
  'DELETE FROM user_identities WHERE realm = :realm AND issuer = :issuer AND subject = :subject',
);

/** `byClaim` is 1 if the provider states the user's role from now on, or 0. */
export const setRoleByClaim = statement<{ userId: string; byClaim: number }, never>(
  'UPDATE user_identities SET role_by_claim = :byClaim WHERE user_id = :userId',
);

/** No claim is needed from now on. Changes nothing for a person with other shops. */
export const endRoleByClaim = statement<{ userId: string; merchantId: number }, never>(
  `UPDATE user_identities SET role_by_claim = 0 WHERE user_id = :userId AND NOT EXISTS (
     SELECT 1 FROM memberships WHERE user_id = :userId AND merchant_id <> :merchantId)`,
);

export const deleteIdentitiesOfUser = statement<{ userId: string }, never>(
  'DELETE FROM user_identities WHERE user_id = :userId',
);

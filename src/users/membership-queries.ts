import { statement } from '../database/statement.ts';
import type { Role } from './role.ts';

/** A user of a merchant's console: a person, and what the person may do in this shop. */
export interface UserRow {
  /** The person's ID. */
  id: string;
  /** Tells a shop nothing about the person. */
  membership_id: string;
  merchant_id: number;
  /** As the shop wrote it in the invitation, until the user has accepted. */
  name: string;
  email: string;
  role: Role;
  /** Whether (1) the user has accepted the invitation. */
  accepted: number;
}

const ACCEPTED = 'CASE WHEN m.accepted_at IS NULL THEN 0 ELSE 1 END AS accepted';
const NAME = 'CASE WHEN m.accepted_at IS NULL THEN m.invited_name ELSE u.name END AS name';
const USER = `u.id, m.id AS membership_id, m.merchant_id, ${NAME}, u.email, m.role, ${ACCEPTED}`;
const MEMBERS = 'memberships m JOIN console_users u ON u.id = m.user_id';
const USERS = `SELECT ${USER} FROM ${MEMBERS}`;
/** The shop that a person has used last comes first. */
const BY_USE = 'coalesce(m.last_sign_in_at, 0) DESC, m.merchant_id';

/**
 * Whether the session `s` may be in the shop of `m`. What an identity provider has once said of other shops
 * does not count in a session that it has begun since.
 */
const IS_OPEN = `(m.by_claim = 0 OR s.by_provider = 0 OR s.sign_in_merchant_id = m.merchant_id)`;

const ANYWHERE = `ORDER BY CASE WHEN m.accepted_at IS NULL THEN 1 ELSE 0 END,
     coalesce(m.last_sign_in_at, 0) DESC, m.created_at DESC, m.id DESC LIMIT 1`;

export const findUserByEmail = statement<{ merchantId: number; email: string }, UserRow>(
  `${USERS} WHERE u.email = :email AND m.merchant_id = :merchantId`,
);

export const findUserOfPerson = statement<{ merchantId: number; userId: string }, UserRow>(
  `${USERS} WHERE m.user_id = :userId AND m.merchant_id = :merchantId`,
);

export const findMember = statement<{ merchantId: number; membershipId: string }, UserRow>(
  `${USERS} WHERE m.id = :membershipId AND m.merchant_id = :merchantId`,
);

/** `seen` is 1 if an owner has seen the link. */
export interface InvitedRow extends UserRow {
  seen: number;
}

/** Finds the user of a link that accepts an invitation, unless the link has expired. */
export const findInvited = statement<{ identifierHash: string; now: number }, InvitedRow>(
  `SELECT ${USER}, v.seen FROM ${MEMBERS} JOIN user_verifications v ON v.value = m.id
   WHERE v.identifier_hash = :identifierHash AND v.expires_at > :now AND m.accepted_at IS NULL`,
);

/** As `findUserAnywhere`. */
export const findUserInLastShop = statement<{ userId: string }, UserRow>(
  `${USERS} WHERE u.id = :userId ${ANYWHERE}`,
);

/** `several` is 1 if the person has accepted the invitations of several shops. */
export const findSeveralShops = statement<{ userId: string }, { several: number }>(
  `SELECT CASE WHEN count(*) > 1 THEN 1 ELSE 0 END AS several FROM memberships
   WHERE user_id = :userId AND accepted_at IS NOT NULL`,
);

/** Finds a person in the shop that the person has used last; in the newest invitation if there is no shop. */
export const findUserAnywhere = statement<{ email: string }, UserRow>(
  `${USERS} WHERE u.email = :email ${ANYWHERE}`,
);

/** Finds the shop of a session; the shop used last if the session may no longer be in its shop. */
export const findCurrentShop = statement<
  { userId: string; sessionId: string },
  { merchant_id: number; role: Role }
>(
  `SELECT m.merchant_id, m.role FROM memberships m JOIN user_sessions s ON s.user_id = m.user_id
   WHERE m.user_id = :userId AND s.id = :sessionId AND m.accepted_at IS NOT NULL AND ${IS_OPEN}
   ORDER BY CASE WHEN m.merchant_id = s.merchant_id THEN 0 ELSE 1 END, ${BY_USE} LIMIT 1`,
);

export const findLastShop = statement<{ userId: string }, { merchant_id: number }>(
  `SELECT m.merchant_id FROM memberships m WHERE m.user_id = :userId AND m.accepted_at IS NOT NULL
   ORDER BY ${BY_USE} LIMIT 1`,
);

/** `required` is 1 if a shop of the person requires two factors. */
export const findTwoFactorRule = statement<{ userId: string }, { required: number }>(
  `SELECT CASE WHEN count(*) > 0 THEN 1 ELSE 0 END AS required
   FROM memberships m JOIN merchants shop ON shop.id = m.merchant_id
   WHERE m.user_id = :userId AND m.accepted_at IS NOT NULL AND shop.requires_two_factor = 1`,
);

/** Lists the shops of a person that a session can be in, by name. */
export const listShopsOfSession = statement<
  { userId: string; sessionId: string },
  { id: number; name: string }
>(
  `SELECT shop.id, shop.name FROM memberships m JOIN merchants shop ON shop.id = m.merchant_id
   JOIN user_sessions s ON s.user_id = m.user_id
   WHERE m.user_id = :userId AND s.id = :sessionId AND m.accepted_at IS NOT NULL AND ${IS_OPEN}
   ORDER BY shop.name, shop.id`,
);

/** Finds the user of a link. `has_account` is 1 if the link of an invitation must not set a password. */
export const findPasswordOwner = statement<
  { identifierHash: string; invitationHash: string; now: number },
  { email: string; name: string; place_name: string; has_account: number }
>(
  `SELECT u.email, u.name, coalesce(
     (SELECT s.name FROM memberships m JOIN merchants s ON s.id = m.merchant_id
      WHERE m.user_id = u.id AND m.accepted_at IS NOT NULL
      ORDER BY coalesce(m.last_sign_in_at, 0) DESC, m.merchant_id LIMIT 1), '') AS place_name, 0 AS has_account
   FROM user_verifications v JOIN console_users u ON u.id = v.value
   WHERE v.identifier_hash = :identifierHash AND v.expires_at > :now
   UNION ALL
   SELECT u.email, m.invited_name AS name, s.name AS place_name,
     CASE WHEN u.password_seen = 1 AND v.seen = 0 THEN 0
       WHEN a.password_hash IS NOT NULL
         OR EXISTS (SELECT 1 FROM user_identities i WHERE i.user_id = u.id)
         OR EXISTS (SELECT 1 FROM memberships o WHERE o.user_id = u.id AND o.accepted_at IS NOT NULL)
       THEN 1 ELSE 0 END AS has_account
   FROM user_verifications v
   JOIN memberships m ON m.id = v.value
   JOIN console_users u ON u.id = m.user_id
   JOIN merchants s ON s.id = m.merchant_id
   LEFT JOIN user_accounts a ON a.user_id = u.id
   WHERE v.identifier_hash = :invitationHash AND v.expires_at > :now`,
);

/** `muted_mails` are kinds of mail, separated by commas. */
export const listRecipients = statement<
  { merchantId: number },
  Pick<UserRow, 'id' | 'email' | 'accepted'> & { muted_mails: string }
>(
  `SELECT u.id, u.email, m.muted_mails, ${ACCEPTED}
   FROM memberships m JOIN console_users u ON u.id = m.user_id
   WHERE m.merchant_id = :merchantId ORDER BY u.email`,
);

export const insertMembership = statement<
  {
    id: string;
    userId: string;
    merchantId: number;
    role: Role;
    name: string;
    acceptedAt: number | null;
    now: number;
  },
  never
>(
  `INSERT INTO memberships (id, user_id, merchant_id, role, invited_name, accepted_at, created_at)
   VALUES (:id, :userId, :merchantId, :role, :name, :acceptedAt, :now)`,
);

/** Changes nothing if the invitation was accepted before. */
export const acceptMembership = statement<{ membershipId: string; now: number }, never>(
  'UPDATE memberships SET accepted_at = :now WHERE id = :membershipId AND accepted_at IS NULL',
);

export const countUsersOfMerchant = statement<{ merchantId: number }, { users: number }>(
  'SELECT count(*) AS users FROM memberships WHERE merchant_id = :merchantId',
);

export const countOtherUsers = statement<
  { merchantId: number; userId: string },
  { users: number; owners: number }
>(
  `SELECT count(*) AS users, count(CASE WHEN role = 'owner' THEN 1 END) AS owners FROM memberships
   WHERE merchant_id = :merchantId AND user_id <> :userId`,
);

/** An identity provider has made the person a user of the shop. */
export const markByClaim = statement<{ membershipId: string }, never>(
  'UPDATE memberships SET by_claim = 1 WHERE id = :membershipId',
);

/** From now on, the person is a user of the shop whatever an identity provider says. */
export const endByClaim = statement<{ membershipId: string }, never>(
  'UPDATE memberships SET by_claim = 0 WHERE id = :membershipId',
);

export const updateRole = statement<{ membershipId: string; role: Role }, never>(
  'UPDATE memberships SET role = :role WHERE id = :membershipId',
);

/** Puts a session into a person's shop. Changes nothing if the session may not be in it. */
export const enterShop = statement<{ userId: string; sessionId: string; merchantId: number }, never>(
  `UPDATE user_sessions AS s SET merchant_id = :merchantId WHERE s.id = :sessionId AND s.user_id = :userId
     AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = :userId AND m.merchant_id = :merchantId
                   AND m.accepted_at IS NOT NULL AND ${IS_OPEN})`,
);

export const markShopUsed = statement<{ userId: string; merchantId: number; now: number }, never>(
  'UPDATE memberships SET last_sign_in_at = :now WHERE user_id = :userId AND merchant_id = :merchantId',
);

/** What a sign-in to a shop changes. */
export const markSignedIn = [
  statement<{ userId: string; tokenHash: string; merchantId: number; now: number }, never>(
    `UPDATE user_sessions SET merchant_id = :merchantId, sign_in_merchant_id = :merchantId
     WHERE token_hash = :tokenHash AND user_id = :userId
       AND EXISTS (SELECT 1 FROM memberships
                   WHERE user_id = :userId AND merchant_id = :merchantId AND accepted_at IS NOT NULL)`,
  ),
  markShopUsed,
] as const;

export const deleteMembership = statement<{ membershipId: string }, never>(
  'DELETE FROM memberships WHERE id = :membershipId',
);

/** `accepted` and `two_factor` are 0 or 1. A shop learns the second factor of a person who has accepted. */
export interface ListedUser extends Omit<UserRow, 'merchant_id' | 'id'> {
  id: string;
  two_factor: number;
  /** Null before the first sign-in. */
  last_sign_in_at: number | null;
  created_at: number;
}

/** Ordered by email. */
export const listUsersOfMerchant = statement<{ merchantId: number }, ListedUser>(
  `SELECT u.id, m.id AS membership_id, u.email, ${NAME}, m.role, m.last_sign_in_at, m.created_at, ${ACCEPTED},
     CASE WHEN m.accepted_at IS NULL THEN 0 ELSE u.two_factor END AS two_factor
   FROM memberships m JOIN console_users u ON u.id = m.user_id
   WHERE m.merchant_id = :merchantId ORDER BY u.email`,
);

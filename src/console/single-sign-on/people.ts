import { describeUser, recordAudit } from '../../audit/record-audit.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import type { Actor } from '../../database/actor.ts';
import type { Connection, Dialect } from '../../database/database.ts';
import { MAX_USER_NAME_LENGTH } from '../../users/add-user.ts';
import {
  deleteIdentity,
  findIdentity,
  type Identity,
  insertIdentity,
  setRoleByClaim,
} from '../../users/identity-queries.ts';

/** Who an identity provider says somebody is. The database can store all texts. */
export interface Person {
  /** As the provider states it. With the subject, it identifies the person. */
  issuer: string;
  subject: string;
  /** The name of the provider. */
  provider: string;
  /** As emails are stored; null unless the provider has verified it. */
  email: string | null;
  name: string | null;
  /** What the role's claim has. */
  roles: readonly string[];
  /** What the merchant's claim has; null without one. */
  merchant: string | null;
}

/** Why a person whom the provider has signed in is not let in. Pages say it in words. */
export type Refusal = 'no_access' | 'email_unverified' | 'email_taken' | 'other_merchant';

export interface ProviderUser {
  id: string;
  name: string;
  email: string;
  role: string;
}

export interface SignInContext {
  connection: Connection;
  dialect: Dialect;
  /** Milliseconds since 1970. */
  now: number;
  budgets: Budgets;
}

export type SignInOutcome = { user: ProviderUser; merchantId: number } | { refusal: Refusal };

/** Finds the user of a person, and applies the person's claims, in the transaction of the context. */
export type SignInPerson = (context: SignInContext, person: Person) => Promise<SignInOutcome>;

/** The users of a realm. */
export interface People<User extends ProviderUser> {
  /** The table of the users. */
  realm: string;
  /** Runs first: other transactions that do the same wait. */
  lock(context: SignInContext): Promise<void>;
  /** Prefers the user that the claims name, if the person is several users. */
  findById(connection: Connection, id: string, person: Person): Promise<User | undefined>;
  /** Prefers as `findById`. */
  findByEmail(connection: Connection, email: string, person: Person): Promise<User | undefined>;
  /** The best role that the claim states; undefined without a known one. */
  roleOf(person: Person): User['role'] | undefined;
  /** Resolves to undefined if the claims do not allow it. */
  create(context: SignInContext, person: Person & { email: string }): Promise<User | undefined>;
  setRole(context: SignInContext, user: User, role: User['role']): Promise<void>;
  /** Whether a role of the claims is meant for this user. Without, it is enough to be let in. */
  takesRole?(connection: Connection, user: User, person: Person): Promise<boolean>;
  /**
   * Makes someone whose claims do not belong to `user` also the user that they name. Resolves to undefined if
   * the claims do not allow it.
   */
  join?(context: SignInContext, user: User, person: Person): Promise<User | undefined>;
  /** Whether the claims may belong to the user. */
  accepts(connection: Connection, user: User, person: Person): Promise<boolean>;
  /** The user as who acts. */
  actorOf(user: Pick<User, 'name' | 'email'>): Actor;
  /** The merchant whose audit log names the user; undefined, for no user, if nobody's does. */
  merchantIdOf(user: User | undefined): number | undefined;
  /** Called after the first sign-in of a person by the provider. */
  onLink?(context: SignInContext, user: User): Promise<void>;
  /** Called after each sign-in. */
  onSignIn?(context: SignInContext, user: User): Promise<void>;
}

/**
 * Returns how a realm's users sign in by a provider. A person is found by issuer and subject, which are
 * stored at the first sign-in; only then by a verified email, and only if its user is nobody else at the
 * provider. A role that the provider once stated has to be stated at each sign-in. Refusals are in the audit
 * log.
 */
export function signInPersonOf<User extends ProviderUser>(people: People<User>): SignInPerson {
  return async (context, person) => {
    await people.lock(context);
    const found = await findOrLink(people, context, person);
    if ('refusal' in found) return refuse(people, context, { person, ...found });
    const user = (await people.accepts(context.connection, found.user, person))
      ? found.user
      : await people.join?.(context, found.user, person);
    if (user === undefined) {
      // Nobody is linked for good by a claim that lets nobody in.
      if (found.isNew) await context.connection.run(deleteIdentity, identityOf(people, person));
      return refuse(people, context, { person, user: found.user, refusal: 'other_merchant' });
    }
    const role = people.roleOf(person);
    if (role === undefined && found.needsClaim)
      return refuse(people, context, { person, user, refusal: 'no_access' });
    if (role !== undefined) {
      if ((await people.takesRole?.(context.connection, user, person)) !== false)
        await applyRole(people, context, { user, role, provider: person.provider });
      await context.connection.run(setRoleByClaim, { userId: user.id, byClaim: 1 });
    }
    if (found.isNew) await people.onLink?.(context, user);
    await people.onSignIn?.(context, user);
    const merchantId = people.merchantIdOf(user);
    if (merchantId === undefined) throw new Error(`the user ${user.id} has no merchant`);
    return { user, merchantId };
  };
}

function identityOf({ realm }: { realm: string }, { issuer, subject }: Person): Identity {
  return { realm, issuer, subject };
}

interface Found<User> {
  user: User;
  needsClaim: boolean;
  /** Whether the identity was linked now. */
  isNew: boolean;
}

async function findOrLink<User extends ProviderUser>(
  people: People<User>,
  context: SignInContext,
  person: Person,
): Promise<Found<User> | { user?: User | undefined; refusal: Refusal }> {
  const { connection, now } = context;
  const identity = identityOf(people, person);
  const known = await connection.first(findIdentity, identity);
  if (known !== undefined) {
    const user = await people.findById(connection, known.user_id, person);
    if (user === undefined) throw new Error(`the user ${known.user_id} of an identity does not exist`);
    return { user, needsClaim: known.role_by_claim === 1, isNew: false };
  }
  const { email } = person;
  if (email === null) return { refusal: 'email_unverified' };
  const user =
    (await people.findByEmail(connection, email, person)) ??
    (await people.create(context, { ...person, email }));
  if (user === undefined) return { refusal: 'no_access' };
  const linked = await connection.run(insertIdentity, { ...identity, userId: user.id, now });
  return linked === 1 ? { user, needsClaim: false, isNew: true } : { user, refusal: 'email_taken' };
}

/** Even of the last admin or owner: the provider decides, and the command line can invite another one. */
async function applyRole<User extends ProviderUser>(
  people: People<User>,
  context: SignInContext,
  { user, role, provider }: { user: User; role: User['role']; provider: string },
): Promise<void> {
  if (user.role === role) return;
  await people.setRole(context, user, role);
  audit(people, context, {
    user,
    who: people.actorOf(user),
    action: 'user.role_changed',
    subject: `${describeUser(user)}, now ${role}, by ${provider}`,
  });
}

const reasons: Readonly<Record<Refusal, string>> = {
  no_access: 'neither invited nor allowed by a claim',
  email_unverified: 'the email is not verified',
  email_taken: 'the email belongs to another account there',
  other_merchant: 'the claim names another merchant',
};

function refuse<User extends ProviderUser>(
  people: People<User>,
  context: SignInContext,
  { person, user, refusal }: { person: Person; user?: User | undefined; refusal: Refusal },
): SignInOutcome {
  const { provider, email, subject } = person;
  // The person may have taken any name at the provider.
  const name = email ?? `${provider} ${subject}`;
  const entry = {
    user,
    who: { kind: 'stranger', name },
    action: 'user.sign_in_refused',
    subject: `by ${provider}: ${reasons[refusal]}`,
  } as const;
  audit(people, context, entry);
  return { refusal };
}

function audit<User extends ProviderUser>(
  people: People<User>,
  { connection, now }: SignInContext,
  {
    user,
    ...entry
  }: {
    user: User | undefined;
    who: Actor;
    action: 'user.role_changed' | 'user.sign_in_refused';
    subject: string;
  },
): void {
  const merchantId = people.merchantIdOf(user);
  if (merchantId !== undefined) recordAudit({ connection, merchantId, who: entry.who, now }, entry);
}

/** The name for a new user: as the provider states it, if it can be a name of a user, else the email. */
export function nameOf({ name, email }: { name: string | null; email: string }): string {
  const clean =
    name
      ?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .replaceAll(/\p{C}/gu, '')
      .trim()
      .slice(0, MAX_USER_NAME_LENGTH)
      .trim() ?? '';
  return clean !== '' && clean.isWellFormed() ? clean : email.slice(0, MAX_USER_NAME_LENGTH);
}

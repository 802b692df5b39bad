import type { FastifyBaseLogger } from 'fastify';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Config } from '../../config.ts';
import type { Connection, Database } from '../../database/database.ts';
import { runVerb, type WriteContext } from '../../database/write-context.ts';
import type { Exchange } from '../../http/endpoint/authentication.ts';
import { deleteVerificationsOfUser } from '../../users/queries.ts';
import { CurrentSession, cookieOf } from '../sessions/current-session.ts';
import { IdentityProvider } from '../single-sign-on/identity-provider.ts';
import type { Auth } from './auth.ts';
import { findCaller } from './call-auth.ts';
import type { PasswordQueue } from './password-queue.ts';
import type { AuthUser, Realm, RealmCaller } from './realm.ts';

/** What signs users in, and finds their sessions. */
export interface SignIn<Caller extends RealmCaller> {
  realm: Realm<Caller>;
  auth: () => Promise<Auth>;
  passwords: PasswordQueue;
  currentSession: CurrentSession<Caller>;
  /** Null for passwords alone. */
  identityProvider: IdentityProvider | null;
}

interface SignInSources {
  /** Of all realms, which share the threads that hash passwords. */
  passwords: PasswordQueue;
  config: Config;
  database: Database;
  now: () => number;
  logger: FastifyBaseLogger;
}

export function createSignIn<Caller extends RealmCaller>(
  realm: Realm<Caller>,
  sources: SignInSources,
): SignIn<Caller> {
  const auth = authOnDemand(realm, sources);
  const { passwords, config, now } = sources;
  const oidc = realm.oidcOf(config);
  const identityProvider = oidc === null ? null : new IdentityProvider(oidc, now);
  const currentSession = new CurrentSession<Caller>({
    find: async (exchange) =>
      (await findVisitor(realm, sources, exchange)) ??
      findCaller({ ...sources, realm, auth, identityProvider }, exchange),
    requireReady: (caller) => realm.requireReady(caller),
  });
  return { realm, auth, passwords, currentSession, identityProvider };
}

/** Resolves to undefined without the cookie of a visitor. @throws {DomainError} as `Visitors.find` */
async function findVisitor<Caller extends RealmCaller>(
  { visitors }: Pick<Realm<Caller>, 'visitors'>,
  sources: SignInSources,
  { request }: Exchange,
): Promise<Caller | undefined> {
  const token = visitors && cookieOf(request, visitors.cookie);
  return token === undefined ? undefined : await visitors?.find(sources, token, request.method);
}

/** Created on demand, because a server that only serves the API does not need it. */
function authOnDemand(
  realm: Omit<Realm, 'callerOf' | 'requireReady' | 'passwordOwnerOf' | 'visitors'>,
  { database, now, logger, passwords }: SignInSources,
): () => Promise<Auth> {
  let created: Promise<Auth> | undefined;
  const onPasswordSet = async (user: AuthUser): Promise<void> => {
    const merchantId = await realm.merchantIdOf(database, user);
    if (merchantId === undefined)
      return void (await database.transaction((connection) => deleteLinks(connection, user.id)));
    const by = { merchantId, who: realm.actorOf(user) };
    await runVerb({ database, now }, by, recordPasswordSet, { userId: user.id });
  };
  return () => {
    created ??= import('./auth.ts')
      .then(({ createAuth }) => createAuth({ realm, database, now, logger, passwords, onPasswordSet }))
      .catch((error) => {
        created = undefined;
        throw error;
      });
    return created;
  };
}

async function recordPasswordSet(context: WriteContext, { userId }: { userId: string }): Promise<void> {
  await deleteLinks(context.connection, userId);
  recordAudit(context, { action: 'user.password_changed', subject: null });
}

/** A user can have links in several mails. */
async function deleteLinks(connection: Connection, userId: string): Promise<void> {
  await connection.run(deleteVerificationsOfUser, { userId });
}

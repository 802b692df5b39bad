import type { FastifyBaseLogger } from 'fastify';
import { describeUser, recordAudit } from '../../audit/record-audit.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { runVerb, type WriteContext } from '../../database/write-context.ts';
import { deleteVerificationsOfUser } from '../../users/queries.ts';
import { CurrentSession } from '../sessions/current-session.ts';
import type { Auth } from './auth.ts';
import { findConsoleCaller } from './call-auth.ts';
import type { AuthUser } from './constants.ts';
import { PasswordQueue } from './password-queue.ts';

/** What signs users in, and finds their sessions. */
export interface SignIn {
  auth: () => Promise<Auth>;
  passwords: PasswordQueue;
  currentSession: CurrentSession;
}

interface SignInSources {
  config: Config;
  database: Database;
  now: () => number;
  logger: FastifyBaseLogger;
}

export function createSignIn(sources: SignInSources): SignIn {
  const passwords = new PasswordQueue();
  const auth = authOnDemand(sources, passwords);
  const currentSession = new CurrentSession((exchange) => findConsoleCaller({ ...sources, auth }, exchange));
  return { auth, passwords, currentSession };
}

/** Created on demand, because a server that only serves the API does not need it. */
function authOnDemand(
  { database, now, logger }: SignInSources,
  passwords: PasswordQueue,
): () => Promise<Auth> {
  let created: Promise<Auth> | undefined;
  const onPasswordSet = async (user: AuthUser): Promise<void> => {
    const by = { merchantId: user.merchantId, who: describeUser(user) };
    await runVerb({ database, now }, by, recordPasswordSet, { userId: user.id });
  };
  return () => {
    created ??= import('./auth.ts')
      .then(({ createAuth }) => createAuth({ database, now, logger, passwords, onPasswordSet }))
      .catch((error) => {
        created = undefined;
        throw error;
      });
    return created;
  };
}

async function recordPasswordSet(context: WriteContext, { userId }: { userId: string }): Promise<void> {
  // A user can have links in several mails.
  await context.connection.run(deleteVerificationsOfUser, { userId });
  recordAudit(context, { action: 'user.password_changed', subject: null });
}

import type { FastifyInstance } from 'fastify';
import { runVerb } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import type { Exchange } from '../../http/endpoint/authentication.ts';
import { listCredentialsOfUser } from '../../users/passkey-queries.ts';
import { findPasswordOfUser } from '../../users/queries.ts';
import { limitAttempts, limits } from '../attempts/limit-attempts.ts';
import { type AuthServices, ofRealm } from '../auth/auth-endpoints.ts';
import { prompts } from '../auth/better-auth-endpoints.ts';
import type { RealmCaller } from '../auth/realm.ts';
import { toConsoleError } from '../auth/responses.ts';
import type { NewPasskeyRequest } from '../console-api.ts';
import { consoleErrors, consoleStatuses } from '../errors.ts';
import { inNetworkTurn } from '../network-turn.ts';
import { textIn } from '../text-in.ts';
import {
  addChallenge,
  bindToBrowser,
  browserOf,
  CHALLENGE_SECONDS,
  newChallenge,
  takeChallenge,
} from './challenges.ts';
import { challengeOf, parseTransports, readNewCredential } from './credentials.ts';
import { addPasskey, parsePasskeyName } from './manage-passkeys.ts';
import { relyingPartyOf } from './relying-party.ts';
import { ALGORITHMS, userHandleOf, verifyNewCredential } from './verify-passkey.ts';

/**
 * Registers a realm's calls that add a passkey: one confirms the password and returns what the browser needs
 * to make the passkey, the other one stores it within five minutes, in the same session.
 */
export function addPasskeyEndpoints<Caller extends RealmCaller>(
  app: FastifyInstance,
  services: AuthServices<Caller>,
): void {
  const options = { config: { statuses: [200, ...consoleStatuses] } };
  app.post('/auth/passkeys/options', options, (request, reply) => begin(services, { request, reply }));
  app.post('/auth/passkeys', options, async (request, reply) => {
    await finish(services, { request, reply });
    return { status: true };
  });
}

async function begin<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  exchange: Exchange,
): Promise<NewPasskeyRequest> {
  const { realm, config, database, now, marketplaceName, currentSession } = services;
  const { request, reply } = exchange;
  const { sessionId, user } = await inNetworkTurn(services, request, async () => {
    const caller = await currentSession.require(exchange);
    await limitAttempts(services, ofRealm(services, limits.passwordByAccount), caller.user.id);
    return caller;
  });
  const relyingParty = relyingPartyOf(request, config);
  await requirePassword(services, exchange, user.id);
  const challenge = newChallenge();
  const name = { realm: realm.apiPath, browser: bindToBrowser(realm, request, reply), challenge };
  await database.transaction((connection) =>
    addChallenge(connection, { name, use: { for: 'new-passkey', sessionId }, now: now() }),
  );
  const known = await database.all(listCredentialsOfUser, { userId: user.id, rpId: relyingParty.id });
  return {
    challenge,
    rp: { id: relyingParty.id, name: await marketplaceName.read() },
    user: {
      id: userHandleOf(user.id),
      name: `${user.email}${realm.passkeyLabel}`,
      displayName: `${user.name}${realm.passkeyLabel}`,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: 1000 * CHALLENGE_SECONDS,
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({
      type: 'public-key',
      id,
      transports: parseTransports(transports),
    })),
  };
}

/** @throws {DomainError} 400, with the field, for a missing or wrong password */
async function requirePassword<Caller extends RealmCaller>(
  { database, passwords, config }: AuthServices<Caller>,
  { request }: Exchange,
  userId: string,
): Promise<void> {
  const password = textIn(request.body, 'password');
  if (password === '') throw errors.invalid_fields([{ field: 'password', reason: prompts.password }]);
  const hash = (await database.first(findPasswordOfUser, { userId }))?.password_hash ?? null;
  const verify = (): Promise<boolean> =>
    hash === null ? Promise.resolve(false) : passwords.verify({ hash, password });
  if (!(await passwords.serve(request, config, verify)))
    throw toConsoleError(400, 'INVALID_PASSWORD', ['password']);
}

async function finish<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  exchange: Exchange,
): Promise<void> {
  const { realm, config, database, now, currentSession } = services;
  const { request } = exchange;
  const name = parsePasskeyName(textIn(request.body, 'name'));
  const response = readNewCredential(request.body);
  const relyingParty = relyingPartyOf(request, config);
  const challenge = response === undefined ? '' : challengeOf(response);
  const caller = await inNetworkTurn(services, request, async () => {
    const caller = await currentSession.require(exchange);
    const taken = await database.transaction((connection) => {
      const name = { realm: realm.apiPath, browser: browserOf(realm, request) ?? '', challenge };
      return takeChallenge(connection, { name, now: now() });
    });
    if (taken?.for !== 'new-passkey' || taken.sessionId !== caller.sessionId)
      throw consoleErrors.conflict('This took too long. Start again.');
    return caller;
  });
  const added = response && (await verifyNewCredential(response, { challenge, relyingParty }));
  if (added === undefined) throw consoleErrors.invalid('This passkey can’t be used here. Try another one.');
  const { merchantId, who, sessionId, user } = caller;
  const passkey = { ...added, realm: realm.usersTable, userId: user.id, name };
  await runVerb(services, { merchantId, who }, addPasskey, { sessionId, passkey });
}

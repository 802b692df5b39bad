import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Exchange } from '../../http/endpoint/authentication.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import { findPasskey, type PasskeyRow } from '../../users/passkey-queries.ts';
import { limitNetworks, limits } from '../attempts/limit-attempts.ts';
import { recordPasskeySignIn } from '../auth/audit-auth-call.ts';
import { type AuthServices, endReplacedSession, ofRealm } from '../auth/auth-endpoints.ts';
import { beginSession } from '../auth/call-auth.ts';
import { mayUsePassword } from '../auth/passwords-off.ts';
import type { RealmCaller } from '../auth/realm.ts';
import type { PasskeyRequest } from '../console-api.ts';
import { consoleErrors, consoleStatuses } from '../errors.ts';
import { inNetworkTurn } from '../network-turn.ts';
import {
  addChallenge,
  bindToBrowser,
  browserOf,
  CHALLENGE_SECONDS,
  newChallenge,
  takeChallenge,
} from './challenges.ts';
import { challengeOf, readAssertion } from './credentials.ts';
import { relyingPartyOf } from './relying-party.ts';
import { verifyAssertion } from './verify-passkey.ts';

/**
 * Registers a realm's calls that sign in with a passkey. The first one names no user, and every failure of
 * the second one has the same response, so that nobody learns who has passkeys.
 */
export function passkeySignInEndpoints<Caller extends RealmCaller>(
  app: FastifyInstance,
  services: AuthServices<Caller>,
): void {
  const options = { config: { statuses: [200, ...consoleStatuses] } };
  app.post('/auth/sign-in/passkey/options', options, (request, reply) => begin(services, { request, reply }));
  app.post('/auth/sign-in/passkey', options, async (request, reply) => {
    await finish(services, { request, reply });
    return { status: true };
  });
}

async function begin<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  { request, reply }: Exchange,
): Promise<PasskeyRequest> {
  const { realm, config, database, now } = services;
  const { id: rpId } = relyingPartyOf(request, config);
  const challenge = newChallenge();
  const name = { realm: realm.apiPath, browser: bindToBrowser(realm, request, reply), challenge };
  await inNetworkTurn(services, request, async () => {
    const address = clientAddress(request, config.trustedProxies);
    await limitNetworks(services, ofRealm(services, limits.challengeByNetwork), address);
    await database.transaction((connection) =>
      addChallenge(connection, { name, use: { for: 'sign-in' }, now: now() }),
    );
  });
  return {
    challenge,
    rpId,
    timeout: 1000 * CHALLENGE_SECONDS,
    userVerification: 'required',
    // The browser offers the passkeys that it has for this host.
    allowCredentials: [],
  };
}

async function finish<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  exchange: Exchange,
): Promise<void> {
  const { realm, database } = services;
  const { passkey, newCount } = await verify(services, exchange.request);
  const user = await database.first(realm.findUser, { userId: passkey.user_id });
  // Where passwords are off, people sign in at their provider, which knows who still works there.
  if (user === undefined || !(await mayUsePassword(services, user.email)))
    throw consoleErrors.wrong_passkey();
  const merchantId = await realm.merchantIdOf(database, user);
  if (merchantId === undefined) throw consoleErrors.wrong_passkey();
  const replaced = await services.currentSession.findOpen(exchange);
  const session = { userId: user.id, passkeyId: passkey.id };
  const token = await beginSession({ auth: await services.auth() }, exchange, session);
  if (replaced !== undefined) await endReplacedSession(services, replaced);
  if (!(await recordPasskeySignIn(services, { merchantId, user, token, passkey, newCount })))
    throw consoleErrors.wrong_passkey();
}

/** @throws {DomainError} `wrong_passkey`; `sign_in_expired` for a challenge that has expired */
async function verify<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  request: FastifyRequest,
): Promise<{ passkey: PasskeyRow; newCount: number }> {
  const { realm, config, database, now } = services;
  const assertion = readAssertion((request.body ?? {}) as unknown);
  if (assertion === undefined) throw consoleErrors.wrong_passkey();
  const relyingParty = relyingPartyOf(request, config);
  const challenge = challengeOf(assertion);
  const passkey = await inNetworkTurn(services, request, async () => {
    const address = clientAddress(request, config.trustedProxies);
    const ofPasskey = { limit: ofRealm(services, limits.passkey), subject: assertion.id };
    await limitNetworks(services, ofRealm(services, limits.signInByNetwork), address, ofPasskey);
    const name = { realm: realm.apiPath, browser: browserOf(realm, request) ?? '', challenge };
    const taken = await database.transaction((connection) => takeChallenge(connection, { name, now: now() }));
    if (taken?.for !== 'sign-in')
      throw consoleErrors.sign_in_expired('This sign-in took too long. Try again.');
    return await database.first(findPasskey, { realm: realm.usersTable, credentialId: assertion.id });
  });
  if (passkey === undefined) throw consoleErrors.wrong_passkey();
  const newCount = await verifyAssertion(assertion, passkey, { challenge, relyingParty });
  if (newCount === undefined) throw consoleErrors.wrong_passkey();
  return { passkey, newCount };
}

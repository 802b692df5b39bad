import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import { limitAttempts, limitNetworks, limits, takeAttempt } from '../attempts/limit-attempts.ts';
import { type ConsoleGate, inNetworkTurn } from '../endpoint.ts';
import { consoleStatuses, formRefused } from '../errors.ts';
import { type ConsoleCaller, requireAnySession, requireSession } from '../sessions/current-session.ts';
import { hashSecret } from './storage/columns.ts';
import { normalizeEmail } from '../users/add-user.ts';
import { forPage, refusalOf } from './responses.ts';
import type { Auth } from './auth.ts';
import { callAuth, type Said } from './call-auth.ts';
import { noteInAudit } from './record-event.ts';
import type { PasswordQueue } from './password-queue.ts';
import { type AuthPath, authPaths } from './endpoints.ts';
import { deleteSession, deleteSessionByToken } from './queries.ts';
import { refuseCommonPassword } from './reject-common-password.ts';

interface Services extends Omit<ConsoleGate, 'unreadBytes'> {
  config: Config;
  database: Database;
  now: () => number;
  auth: () => Promise<Auth>;
  passwords: PasswordQueue;
}

/** Sign-in, sign-out, passwords and second factors, below `/console/api/auth`. */
export function authRoutes(app: FastifyInstance, services: Services): void {
  for (const path of authPaths) {
    app.post(
      `/auth${path.path}`,
      { config: { statuses: [200, 409, ...consoleStatuses] } },
      (request, reply) => answer(services, path, request, reply),
    );
  }
}

async function answer(services: Services, path: AuthPath, request: FastifyRequest, reply: FastifyReply) {
  const { caller, body } = await inNetworkTurn(services, request, async () => {
    const caller = await findCaller(path, request);
    const body = readFields(path, request.body);
    await limit(services, path, { request, caller, body });
    return { caller, body };
  });
  const auth = await services.auth();
  const said = await services.passwords.serve(request, services.config, async () => {
    await refuseCommonPassword(services, path.session ? caller : undefined, body);
    return await callAuth(auth, request, reply, { path: path.path, body });
  });
  if (said.status !== 200) throw refusalOf(said.status, said.body.code, path.fields);
  if (await isCodeUsedAgain(services, path, { caller, body, said })) {
    throw refusalOf(400, 'INVALID_CODE', path.fields);
  }
  if (path.path === '/sign-in/email' && caller !== undefined) await endSession(services, caller);
  await noteInAudit(services, path, caller, said);
  return reply.send(forPage(said.body));
}

/** @throws {HttpError} 401 or 403 where the path needs a session that the request does not have */
async function findCaller(
  { session, setsUpTwoFactor }: AuthPath,
  request: FastifyRequest,
): Promise<ConsoleCaller | undefined> {
  if (!session) return await request.findSession?.();
  return setsUpTwoFactor ? await requireAnySession(request) : await requireSession(request);
}

/** @throws {HttpError} 400 for whatever is not text */
function readFields({ fields, fixed }: AuthPath, body: unknown): Record<string, unknown> {
  const given = (body ?? {}) as Record<string, unknown>;
  const problems = fields
    .filter((name) => !isText(given[name]))
    .map((name) => ({ name, reason: 'This is needed.' }));
  if (problems.length > 0) throw formRefused(problems);
  return { ...Object.fromEntries(fields.map((name) => [name, given[name]])), ...fixed };
}

/** Text that a database can be asked for. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('\0') && value.isWellFormed();
}

async function limit(
  services: Services,
  { byNetwork, byAccount }: AuthPath,
  {
    request,
    caller,
    body,
  }: { request: FastifyRequest; caller: ConsoleCaller | undefined; body: Record<string, unknown> },
): Promise<void> {
  const address = clientAddress(request, services.config.trustedProxies);
  if (byNetwork !== undefined) await limitNetworks(services, byNetwork, address);
  const account = typeof body.email === 'string' ? normalizeEmail(body.email) : caller?.user.id;
  if (byAccount !== undefined && account !== undefined) await limitAttempts(services, byAccount, account);
}

/** The session that a sign-in takes the place of in its browser: nobody has its cookie to end it with. */
async function endSession({ database }: Services, { sessionId }: ConsoleCaller): Promise<void> {
  await database.transaction((connection) => connection.run(deleteSession, { sessionId }));
}

/** Whoever looks over a shoulder has the code too: the second sign-in with it is undone (RFC 6238, 5.2). */
async function isCodeUsedAgain(
  services: Services,
  { path }: AuthPath,
  { caller, body, said }: { caller: ConsoleCaller | undefined; body: Record<string, unknown>; said: Said },
): Promise<boolean> {
  const { user, token } = said.body;
  if (path !== '/two-factor/verify-totp' || caller !== undefined || user === undefined) return false;
  if ((await takeAttempt(services, limits.codeOnce, `${user.id} ${body.code}`)) === 0) return false;
  await services.database.transaction((connection) =>
    connection.run(deleteSessionByToken, { tokenHash: hashSecret(token ?? '') }),
  );
  return true;
}

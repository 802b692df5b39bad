import assert from 'node:assert/strict';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { inviteOperator } from '../../src/operators/invite-operator.ts';
import { listAllOperators } from '../../src/operators/queries.ts';
import type { OperatorRole } from '../../src/operators/role.ts';
import { ConsoleClient, PASSWORD } from './console.ts';
import { tokenOf } from './links.ts';
import type { TestService } from './service.ts';
import { enableTwoFactor } from './totp.ts';

const API = '/operator/api';

let operators = 0;

/** A client of the operator's screen, without a session. */
export function operatorClient(service: Pick<TestService, 'client'>): ConsoleClient {
  return new ConsoleClient(service.client, API);
}

type OperatedService = Pick<TestService, 'database' | 'now' | 'client' | 'baseUrl'>;

/**
 * Invites an operator, after an admin if there is none, because tests that share a service may run at once.
 * Resolves to the token of the link that sets a password.
 */
export async function invitedOperator(
  service: OperatedService,
  role: OperatorRole = 'admin',
  email = `operator${++operators}@example.com`,
): Promise<{ email: string; name: string; token: string }> {
  const name = `Operator ${operators}`;
  if (role !== 'admin') {
    const all = await service.database.all(listAllOperators);
    if (!all.some((operator) => operator.role === 'admin')) await invitedOperator(service);
  }
  const context = { merchantId: OPERATOR_ID, who: OPERATOR, screenUrl: `${service.baseUrl}/operator` };
  const { link } = await runVerb(service, context, inviteOperator, { email, name, role });
  return { email, name, token: tokenOf(link) };
}

/** Resolves to a client with the session of a new operator, with `PASSWORD` and two-factor authentication. */
export async function signedInOperator(
  service: OperatedService,
  role: OperatorRole = 'admin',
  address?: string,
): Promise<{ client: ConsoleClient; email: string; name: string }> {
  const { email, name, token } = await invitedOperator(service, role, address);
  return { client: await acceptedInvitation(service, { email, token }), email, name };
}

/** Resolves to a client with the session of an invited operator, who gets `PASSWORD` and a second factor. */
export async function acceptedInvitation(
  service: Pick<TestService, 'client'>,
  { email, token }: { email: string; token: string },
): Promise<ConsoleClient> {
  const client = operatorClient(service);
  const set = await client.post('/auth/reset-password', { token, newPassword: PASSWORD });
  assert.equal(set.status, 200, set.text);
  await client.signIn(email);
  await enableTwoFactor(client);
  return client;
}

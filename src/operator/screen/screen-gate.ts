import type { OperatorScope } from '../../api-keys/scopes.ts';
import type { AuthServices } from '../../console/auth/auth-endpoints.ts';
import type { PasswordQueue } from '../../console/auth/password-queue.ts';
import { createSignIn } from '../../console/auth/sign-in.ts';
import { consoleErrors } from '../../console/errors.ts';
import { sessionAuthentication, sessionsForApi } from '../../console/sessions/session-authentication.ts';
import type { Sessions } from '../../http/endpoint/key-or-session.ts';
import type { EndpointServices } from '../../http/endpoint/register.ts';
import { isAtLeastOperator, type OperatorRole } from '../../operators/role.ts';
import { type ScreenCaller, screenRealm } from './screen-realm.ts';

/** What the calls of the operator's screen use. */
export interface ScreenGate extends EndpointServices<ScreenCaller, OperatorRole>, AuthServices<ScreenCaller> {
  /** The setting, for v1. The `publicUrl` of `config` is the screen's. */
  publicUrl: string | null;
}

export type ScreenServices = Omit<
  ScreenGate,
  'authentication' | 'realm' | 'auth' | 'currentSession' | 'identityProvider' | 'publicUrl'
> & {
  passwords: PasswordQueue;
} & Pick<Parameters<typeof createSignIn>[1], 'logger'>;

const roleNames = { viewer: 'a viewer', support: 'support', admin: 'an admin' } as const;

interface OperatorOfRole {
  user: Pick<ScreenCaller['user'], 'role'>;
}

/** @throws {DomainError} `role_required` */
export function requireOperatorRole({ user }: OperatorOfRole, least: OperatorRole): void {
  if (isAtLeastOperator(user.role, least)) return;
  const who = least === 'admin' ? 'admins' : 'admins and support';
  throw consoleErrors.role_required(who, roleNames[user.role]);
}

/** Returns what the calls of the screen share. */
export function createScreenGate(services: ScreenServices): ScreenGate {
  // The address of the operator's server is not public.
  const { operatorAddress, publicUrl } = services.config;
  const config = { ...services.config, publicUrl: operatorAddress === null ? publicUrl : null };
  const signIn = createSignIn(screenRealm, { ...services, config });
  const authentication = sessionAuthentication({ ...services, ...signIn, config }, requireOperatorRole);
  return { ...services, ...signIn, config, publicUrl, authentication };
}

/** Who may write with a scope. */
const leastRoles: Readonly<Record<OperatorScope, OperatorRole>> = {
  merchants: 'support',
  access: 'admin',
  catalog: 'support',
  lists: 'admin',
  campaigns: 'admin',
  events: 'admin',
  orders: 'support',
  system: 'admin',
};

/** Who may read with a scope: orders have the data of customers. */
const readers: Readonly<Record<OperatorScope, OperatorRole>> = {
  merchants: 'viewer',
  access: 'viewer',
  catalog: 'viewer',
  lists: 'viewer',
  campaigns: 'viewer',
  events: 'viewer',
  orders: 'support',
  system: 'viewer',
};

/** Operators as callers of the operator API. */
export function screenSessions(gate: ScreenGate): Sessions<OperatorScope> {
  return sessionsForApi(gate, requireOperatorRole, (scope, method) =>
    method === 'GET' || method === 'HEAD' ? readers[scope] : leastRoles[scope],
  );
}

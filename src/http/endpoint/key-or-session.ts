import type { FastifyRequest } from 'fastify';
import type { Scope } from '../../api-keys/scopes.ts';
import type { Actor } from '../../database/actor.ts';
import { contextOf } from '../request-context.ts';
import { countKey, type KeyUseServices, requireScope } from './admit-key.ts';
import type { KeyCaller } from './authenticate.ts';
import type { Authentication, EndpointCaller, Exchange, WriteCaller } from './authentication.ts';

/** A caller of an API: software with a key, or a person with a session. */
export interface KeyOrSession<Granted extends string> extends WriteCaller {
  /** Undefined for a session. */
  key: KeyCaller<Granted> | undefined;
}

/** How an API recognizes people with a session: users of the console, or operators. */
export interface Sessions<Granted extends string = Scope> {
  /** Whether a request has the cookie of a session, which may have ended. */
  isNamedBy(exchange: Exchange): boolean;
  /** @throws {DomainError} unless the session is valid, and the request comes from the service's own pages */
  authenticate(exchange: Exchange): Promise<WriteCaller>;
  /** Undoes what `authenticate` changed: the response is an API key's. */
  ignore(exchange: Exchange): void;
  count(exchange: Exchange, caller: EndpointCaller): void;
  /** @throws {DomainError} `role_required` */
  permit(exchange: Exchange, scope: Granted | undefined): Promise<void>;
  secretOf(exchange: Exchange): string;
}

/** Returns who acts by a request, with the ID of the request. */
export function actorOfRequest({ raw }: FastifyRequest, who: Actor): Actor {
  return { ...who, request: contextOf(raw).id };
}

/** What authentication does with a caller after it was found. */
export function ofKeyOrSession<Granted extends string>(
  services: KeyUseServices,
  sessions: Sessions<Granted>,
): Pick<Authentication<KeyOrSession<Granted>, Granted>, 'count' | 'permit' | 'secretOf'> {
  return {
    count: async (exchange, caller) => {
      if (caller.key === undefined) sessions.count(exchange, caller);
      else await countKey(services, exchange.request.raw, caller.key);
    },
    permit: async (exchange, { key }, scope) => {
      if (key === undefined) await sessions.permit(exchange, scope);
      else requireScope(key, scope);
    },
    secretOf: (exchange, { key }) => key?.token ?? sessions.secretOf(exchange),
  };
}

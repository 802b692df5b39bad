import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../database/actor.ts';
import type { DomainError } from '../../errors/domain-error.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import type { ParameterSources } from '../parameters/read.ts';

/** The sender of a request. */
export interface EndpointCaller {
  /** `OPERATOR_ID` for an operator key. */
  readonly merchantId: number;
}

/** A caller of endpoints that write. */
export interface WriteCaller extends EndpointCaller {
  readonly who: Actor;
}

/** A request, and its reply, which has not been sent. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface SentParameters {
  sent: RawParameters;
  /** Parameters in a place where these callers may not send any. */
  misplaced?: RawParameters;
}

/** How an API recognizes its callers, where they send parameters, and what they may do. */
export interface Authentication<Caller extends EndpointCaller, Permission extends string> {
  /** Whether callers may send their token as the parameter `access_token`. */
  readonly acceptsTokenParameter: boolean;
  /** @throws {DomainError} `too_many_parameters`, `unreadable_body` */
  readParameters(request: FastifyRequest, options: ParameterSources): Promise<SentParameters>;
  /** Finds the caller. @throws {DomainError} if the request has none, or one that may not call at all */
  authenticate(exchange: Exchange, sent: RawParameters): Promise<Caller>;
  /**
   * Finds the caller before the post data is read. Resolves to an error if only the post data could name one.
   * @throws {DomainError} as `authenticate`
   */
  authenticateBeforePostData(exchange: Exchange): Promise<Caller | DomainError>;
  /** Counts the request. @throws {DomainError} if the caller has sent too many */
  count(exchange: Exchange, caller: Caller): Promise<void>;
  /** Undefined needs no permission. @throws {DomainError} if the caller lacks it */
  permit(exchange: Exchange, caller: Caller, permission: Permission | undefined): Promise<void>;
  /** What only the caller can send again: the token, or the cookie of a session. */
  secretOf(exchange: Exchange, caller: Caller): string;
}

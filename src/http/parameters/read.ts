import type { FastifyRequest } from 'fastify';
import { requestErrors } from '../responses/request-errors.ts';
import { readBody } from './body.ts';
import {
  mergeParameters,
  type RawParameter,
  type RawParameters,
  readForm,
  textValue,
} from './raw-parameters.ts';

export interface ParameterSources {
  /** The maximum number of parameters. */
  maximum: number;
  /** Whether the post data is parameters. */
  fromBody?: boolean;
  /** Fields that precede a file in the body. */
  fields?: readonly RawParameter[];
}

/**
 * Reads the parameters of a request's query and post data, and `access_token` from its `Authorization`
 * header.
 * @throws {DomainError} `too_many_parameters`, `unreadable_body`
 */
export async function readRawParameters(
  request: FastifyRequest,
  { maximum, fromBody = true, fields = [] }: ParameterSources,
): Promise<RawParameters> {
  const posted = fromBody ? [...(await readBody(request, maximum)), ...fields] : [];
  const query = readQuery(request.raw.url);
  if (query.length + posted.length > maximum) throw requestErrors.too_many_parameters(maximum);
  return mergeParameters(query, posted, tokenInHeader(request));
}

/**
 * Returns the values of `access_token` in a request's query and header, without blank ones; undefined if
 * neither has it.
 */
export function tokensBeforeBody(request: FastifyRequest): RawParameter[] | undefined {
  const inQuery = readQuery(request.raw.url).filter(({ name }) => name === 'access_token');
  return mergeParameters(inQuery, tokenInHeader(request)).get('access_token');
}

/** A header that has only the scheme is a blank token. */
function tokenInHeader({ headers: { authorization = '' } }: FastifyRequest): RawParameter[] {
  if (!/^Bearer(?:\s|$)/i.test(authorization)) return [];
  return [textValue('access_token', bearerToken(authorization) ?? '', 'text')];
}

/** Returns undefined for other schemes, which proxies may use. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(.+)$/i.exec(authorization ?? '')?.[1]?.trim();
}

export function readQuery(target = ''): RawParameter[] {
  const start = target.indexOf('?');
  return start < 0 ? [] : readForm(target.slice(start + 1));
}

import type { FastifyRequest } from 'fastify';
import { bindWithoutToken } from '../parameters/bind.ts';
import { mergeParameters, textValue } from '../parameters/raw-parameters.ts';
import type { PathParameter } from './declaration.ts';

export type PathParameters = Readonly<Record<string, PathParameter>>;
export type BoundPath<Path extends PathParameters> = {
  [Name in keyof Path]: Path[Name] extends PathParameter<infer T> ? T : never;
};

/** Reads the parameters in a path. @throws {DomainError} `invalid_parameters` */
export function bindPath<Path extends PathParameters>(
  path: Path | undefined,
  request: FastifyRequest,
): BoundPath<Path> {
  if (path === undefined) return {} as BoundPath<Path>;
  const segments = Object.entries(request.params as Record<string, string>);
  const definitions = Object.fromEntries(
    Object.entries(path).map(([name, { type }]) => [name, { type, required: true as const }]),
  );
  const sent = mergeParameters(segments.map(([name, text]) => textValue(name, text, 'text')));
  return bindWithoutToken(definitions, sent) as BoundPath<Path>;
}

import type { FastifyRequest } from 'fastify';
import { ownOrigin } from '../../console/guard.ts';
import type { ScreenGate } from './screen-gate.ts';

/** The origin of v1 and of the console, which have another port than a screen with an address of its own. */
export function merchantsOrigin(
  request: FastifyRequest,
  { config, publicUrl }: Pick<ScreenGate, 'config' | 'publicUrl'>,
): string {
  const { operatorAddress, port } = config;
  const origin = ownOrigin(request, config);
  if (operatorAddress === null) return origin;
  return publicUrl ?? `https://${new URL(origin).hostname}:${port}`;
}

import type { FastifyRequest } from 'fastify';
import type { OverloadControl } from '../http/gate/overload-control.ts';
import { type QueueServices, queuedRequest } from '../http/gate/request-queue.ts';

export interface NetworkTurnServices extends QueueServices {
  overloadControl: OverloadControl;
}

/** Runs work in the network's queue, because the request's sender is not known yet. */
export function inNetworkTurn<T>(
  services: NetworkTurnServices,
  { raw }: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  return services.overloadControl.run(work, queuedRequest(services, raw));
}

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConcurrentUse } from '../budgets/concurrent-use.ts';
import { acceptLargePostData } from '../http/endpoint/large-post-data.ts';
import type { BodyMemory } from '../http/gate/body-memory.ts';
import type { OverloadControl } from '../http/gate/overload-control.ts';
import { merchantQueue, type QueueServices, queuedRequest } from '../http/gate/request-queue.ts';
import { type BoundParameters, bind, type ParameterRules } from '../http/parameters/bind.ts';
import { readRawParameters } from '../http/parameters/read.ts';
import { contextOf } from '../http/request-context.ts';
import { MAX_PARAMETERS, MAX_WRITE_PARAMETERS } from '../http/request-limits.ts';
import { encodeFor } from '../http/responses/negotiate-encoding.ts';
import { afterResponse, JSON_TYPE, keepHeaders, sendFile } from '../http/responses/respond.ts';
import { RenderedJson } from '../shared/rendered-json.ts';
import { SpoolFile } from '../shared/spool-file.ts';
import { consoleErrors, consoleStatuses } from './errors.ts';
import { type ConsoleCaller, requireSession } from './sessions/current-session.ts';
import { isAtLeast, type Role } from './users/role.ts';

/** Shared with the API, so that a merchant's requests to both use one queue and budget. */
export interface ConsoleGate extends QueueServices {
  overloadControl: OverloadControl;
  unreadBytes: ConcurrentUse;
  bodyMemory: BodyMemory;
}

declare module 'fastify' {
  interface FastifyInstance {
    consoleGate: ConsoleGate;
  }
}

export interface ConsoleCall<Definitions extends ParameterRules> {
  request: FastifyRequest;
  reply: FastifyReply;
  session: ConsoleCaller;
  input: BoundParameters<Definitions>;
  /** The path's `:id`. */
  id: string;
}

export interface ConsoleEndpoint<Definitions extends ParameterRules> {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/console/api`. */
  path: `/${string}`;
  parameters: Definitions;
  /** The least role that may call it. By default, viewers may read and editors may change data. */
  role?: Role;
  /** Its statuses in addition to `consoleStatuses`. */
  statuses: readonly number[];
  /** The maximum size of the body in bytes, if not the default. */
  bodyLimit?: number;
  /** Resolves to the response's body; undefined if it has sent the response. */
  handle(call: ConsoleCall<Definitions>): Promise<RenderedJson | SpoolFile | undefined>;
}

/** Checks the session, then the role, then the parameters. Requests wait in their merchant's queue. */
export function registerConsoleEndpoint<Definitions extends ParameterRules>(
  app: FastifyInstance,
  {
    method,
    path,
    parameters,
    role = method === 'GET' ? 'viewer' : 'editor',
    statuses,
    bodyLimit,
    handle,
  }: ConsoleEndpoint<Definitions>,
): void {
  const maximum = bodyLimit === undefined ? MAX_PARAMETERS : MAX_WRITE_PARAMETERS;
  app.route({
    method,
    url: path,
    config: { statuses: [...statuses, ...consoleStatuses] },
    ...acceptLargePostData(app.consoleGate.bodyMemory, bodyLimit, async (request) => {
      const session = await inNetworkTurn(app.consoleGate, request, () => requireSession(request));
      return merchantQueue(session.merchant.id);
    }),
    handler: async (request, reply) => {
      const { overloadControl, unreadBytes } = app.consoleGate;
      // Finding the session takes several queries, so the request first waits in its network's queue.
      const session = await inNetworkTurn(app.consoleGate, request, () => requireSession(request));
      if (!isAtLeast(session.user.role, role)) throw consoleErrors.role_required(role, session.user.role);
      // Resolves when the response is ready, so that a slow reader does not hold a place in the queue.
      const work = async (): Promise<void> => {
        unreadBytes.requireRemaining(session.merchant.id);
        const input = bind(parameters, await readRawParameters(request, { maximum }));
        const { id = '' } = request.params as { id?: string };
        const body = await handle({ request, reply, session, input, id });
        if (body instanceof RenderedJson) await send(request, reply, body, hold);
        if (body instanceof SpoolFile) {
          keepHeaders(reply);
          sendFile(request, reply, body, []);
        }
      };
      const holdUnread = (bytes: number): (() => void) => unreadBytes.hold(session.merchant.id, bytes);
      contextOf(request.raw).holdUnread = holdUnread;
      const hold = (bytes: number): void => afterResponse(reply.raw, holdUnread(bytes));
      const isGone = (): boolean => request.raw.socket.destroyed;
      // Not queued, since a slow upload would hold a place that other requests need.
      if (request.body instanceof Readable) await work();
      else await overloadControl.run(work, { queue: merchantQueue(session.merchant.id), isGone });
      return reply;
    },
  });
}

/** Runs work in the network's queue, because the request's merchant is not known yet. */
export function inNetworkTurn<T>(
  services: QueueServices & Pick<ConsoleGate, 'overloadControl'>,
  { raw }: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  return services.overloadControl.run(work, queuedRequest(services, raw));
}

/** Sends a body without the public API's caching and CORS headers. */
async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  body: RenderedJson,
  hold: (bytes: number) => void,
): Promise<void> {
  const { encoding, bytes } = await encodeFor(body, request.headers['accept-encoding']);
  hold(bytes.length);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  reply.headers({ 'content-type': JSON_TYPE, vary: 'Accept-Encoding' }).send(bytes);
}

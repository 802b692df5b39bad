import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConcurrentUse } from '../budgets/concurrent-use.ts';
import type { OverloadControl } from '../http/gate/overload-control.ts';
import { merchantQueue, type QueueServices, queuedRequest } from '../http/gate/request-queue.ts';
import { type BoundParameters, bind, type ParameterDefinitions } from '../http/parameters/bind.ts';
import { readRawParameters } from '../http/parameters/read.ts';
import { encodeFor } from '../http/responses/negotiate-encoding.ts';
import { afterResponse, JSON_TYPE, sendFile } from '../http/responses/respond.ts';
import { RenderedJson } from '../shared/rendered-json.ts';
import { SpoolFile } from '../shared/spool-file.ts';
import { consoleStatuses } from './errors.ts';
import { type ConsoleCaller, requireSession } from './sessions/current-session.ts';

/** What the console's requests share with those of the API, so that a merchant has one turn for both. */
export interface ConsoleGate extends QueueServices {
  overloadControl: OverloadControl;
  unreadBytes: ConcurrentUse;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Set in the console's scope. */
    consoleGate: ConsoleGate;
  }
}

/** One request of the console, checked: whose it is and what it asks. */
export interface ConsoleCall<Definitions extends ParameterDefinitions> {
  request: FastifyRequest;
  reply: FastifyReply;
  session: ConsoleCaller;
  input: BoundParameters<Definitions>;
  /** What stands in the path where the endpoint's has `:id`. */
  id: string;
}

/** An endpoint of the console's pages. */
export interface ConsoleEndpoint<Definitions extends ParameterDefinitions> {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/console/api`. */
  path: `/${string}`;
  parameters: Definitions;
  /** Every status that it can answer with, beside those that all can. */
  statuses: readonly number[];
  /** Gives the answer's body, or what it has sent itself. */
  handle(call: ConsoleCall<Definitions>): Promise<RenderedJson | SpoolFile | FastifyReply>;
}

/**
 * Registers an endpoint: it refuses whoever has no session first, and then wrong parameters. What it does waits for its
 * merchant's turn, as requests of the API do.
 */
export function registerConsoleEndpoint<Definitions extends ParameterDefinitions>(
  app: FastifyInstance,
  { method, path, parameters, statuses, handle }: ConsoleEndpoint<Definitions>,
): void {
  app.route({
    method,
    url: path,
    config: { statuses: [...statuses, ...consoleStatuses] },
    handler: async (request, reply) => {
      const { overloadControl, unreadBytes } = app.consoleGate;
      // Whose request it is takes several look-ups: until then, its network has the turn.
      const session = await inNetworkTurn(app.consoleGate, request, () => requireSession(request));
      const work = async (): Promise<FastifyReply> => {
        unreadBytes.requireLeft(session.merchant.id);
        const input = bind(parameters, await readRawParameters(request));
        const { id = '' } = request.params as { id?: string };
        const answer = await handle({ request, reply, session, input, id });
        if (answer instanceof RenderedJson) return await send(request, reply, answer, hold);
        return answer instanceof SpoolFile ? sendLarge(request, reply, answer) : answer;
      };
      const hold = (bytes: number): void => {
        afterResponse(reply.raw, unreadBytes.hold(session.merchant.id, bytes));
      };
      // A file takes as long as its sender: it would keep room from others.
      if (request.body instanceof Readable) return await work();
      const isGone = (): boolean => request.raw.socket.destroyed;
      return await overloadControl.run(work, { queue: merchantQueue(session.merchant.id), isGone });
    },
  });
}

/** Runs work for a request that no merchant is known for yet, when its network has its turn. */
export function inNetworkTurn<T>(
  services: QueueServices & Pick<ConsoleGate, 'overloadControl'>,
  { raw }: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  return services.overloadControl.run(work, queuedRequest(services, raw));
}

/** An answer's body. */
export function json<Shape>(value: Shape): RenderedJson {
  return new RenderedJson(Buffer.from(JSON.stringify(value)));
}

/** Without the API's headers: these answers are for our own pages alone, and no browser keeps them. */
async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  body: RenderedJson,
  hold: (bytes: number) => void,
): Promise<FastifyReply> {
  const { encoding, bytes } = await encodeFor(body, request.headers['accept-encoding']);
  hold(bytes.length);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.headers({ 'content-type': JSON_TYPE, vary: 'Accept-Encoding' }).send(bytes);
}

function sendLarge(request: FastifyRequest, reply: FastifyReply, file: SpoolFile): FastifyReply {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  sendFile(request, reply, file, []);
  return reply;
}

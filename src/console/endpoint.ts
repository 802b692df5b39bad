import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE, JsonBody } from '../http/answer.ts';
import { givenBy } from '../http/endpoint.ts';
import { type Bound, bind, type ParameterDefinitions } from '../http/parameters.ts';
import type { MerchantRow } from '../merchants/queries.ts';

/** Who a request of the console comes from. */
export interface Session {
  user: { id: string; name: string; email: string };
  merchant: MerchantRow;
}

/** @throws {HttpError} 401 where there is no session, or it has ended */
export type RequireSession = (request: FastifyRequest) => Promise<Session>;

/** One request of the console, checked: whose it is and what it asks. */
export interface ConsoleCall<Definitions extends ParameterDefinitions> {
  request: FastifyRequest;
  reply: FastifyReply;
  session: Session;
  input: Bound<Definitions>;
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
  handle(call: ConsoleCall<Definitions>): Promise<JsonBody>;
}

/** The statuses that any endpoint of the console can answer with, before or instead of its own. */
export const consoleStatuses = [400, 401, 403, 429, 500, 503] as const;

/** Registers an endpoint: it refuses whoever has no session first, and then wrong parameters. */
export function registerConsoleEndpoint<Definitions extends ParameterDefinitions>(
  app: FastifyInstance,
  requireSession: RequireSession,
  { method, path, parameters, statuses, handle }: ConsoleEndpoint<Definitions>,
): void {
  app.route({
    method,
    url: path,
    config: { statuses: [...statuses, ...consoleStatuses] },
    handler: async (request, reply) => {
      const session = await requireSession(request);
      const input = bind(parameters, givenBy(request));
      const { id = '' } = request.params as { id?: string };
      return sendPrivately(request, reply, await handle({ request, reply, session, input, id }));
    },
  });
}

/** An answer's body. */
export function json<Shape>(value: Shape): JsonBody {
  return new JsonBody(Buffer.from(JSON.stringify(value)));
}

/** Unlike the API's answers these are for our own pages alone, and no browser keeps them. */
async function sendPrivately(
  request: FastifyRequest,
  reply: FastifyReply,
  body: JsonBody,
): Promise<FastifyReply> {
  const { encoding, bytes } = await body.formFor(request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply
    .headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store', vary: 'Accept-Encoding' })
    .header('x-request-id', request.id)
    .send(bytes);
}

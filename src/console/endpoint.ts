import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE, JsonBody } from '../http/answer.ts';
import { givenBy } from '../http/endpoint.ts';
import { type Bound, bind, type ParameterDefinitions } from '../http/parameters.ts';
import { consoleStatuses } from './errors.ts';
import { type ConsoleCaller, requireSession } from './session.ts';

/** One request of the console, checked: whose it is and what it asks. */
export interface ConsoleCall<Definitions extends ParameterDefinitions> {
  request: FastifyRequest;
  reply: FastifyReply;
  session: ConsoleCaller;
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
  /** Gives the answer's body, or what it has sent itself. */
  handle(call: ConsoleCall<Definitions>): Promise<JsonBody | FastifyReply>;
}

/** Registers an endpoint: it refuses whoever has no session first, and then wrong parameters. */
export function registerConsoleEndpoint<Definitions extends ParameterDefinitions>(
  app: FastifyInstance,
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
      const answer = await handle({ request, reply, session, input, id });
      return answer instanceof JsonBody ? send(request, reply, answer) : answer;
    },
  });
}

/** An answer's body. */
export function json<Shape>(value: Shape): JsonBody {
  return new JsonBody(Buffer.from(JSON.stringify(value)));
}

/** Without the API's headers: these answers are for our own pages alone, and no browser keeps them. */
async function send(request: FastifyRequest, reply: FastifyReply, body: JsonBody): Promise<FastifyReply> {
  const { encoding, bytes } = await body.formFor(request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.headers({ 'content-type': JSON_TYPE, vary: 'Accept-Encoding' }).send(bytes);
}

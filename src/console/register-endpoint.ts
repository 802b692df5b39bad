import type { FastifyInstance } from 'fastify';
import type { EndpointRules } from '../http/endpoint/declaration.ts';
import { type Call, type EndpointServices, registerUndocumentedEndpoint } from '../http/endpoint/register.ts';
import type { ParameterRules } from '../http/parameters/bind.ts';
import { text } from '../http/parameters/types.ts';
import { MAX_PATH_PARAMETER_LENGTH } from '../http/request-limits.ts';
import { prepareWith, sendFile, sendResponse } from '../http/responses/respond.ts';
import type { RenderedJson } from '../shared/rendered-json.ts';
import { SpoolFile } from '../shared/spool-file.ts';
import type { Role } from '../users/role.ts';
import type { ConsoleCaller } from './sessions/console-callers.ts';

/** Shared with the API, so that a merchant's requests to both use one queue and budget. */
export type ConsoleGate = EndpointServices<ConsoleCaller, Role>;

declare module 'fastify' {
  interface FastifyInstance {
    consoleGate: ConsoleGate;
  }
}

const idInPath = {
  id: {
    type: text(MAX_PATH_PARAMETER_LENGTH),
    description: 'The ID of the object.',
    example: '01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
  },
};

export type ConsoleCall<Definitions extends ParameterRules> = Call<
  Definitions,
  typeof idInPath,
  ConsoleCaller
>;

export interface ConsoleEndpoint<Definitions extends ParameterRules>
  extends Pick<EndpointRules<Definitions>, 'method' | 'path' | 'parameters' | 'statuses'> {
  /** The least role that may call it. By default, viewers may read and editors may change data. */
  role?: Role;
  /** Resolves to the response's body; undefined if it has sent the response. */
  handle(call: ConsoleCall<Definitions>): Promise<RenderedJson | SpoolFile | undefined>;
}

/** Registers an endpoint for users with a session. Its path may have the parameter `{id}`. */
export function registerConsoleEndpoint<Definitions extends ParameterRules>(
  app: FastifyInstance,
  { role, handle, ...endpoint }: ConsoleEndpoint<Definitions>,
): void {
  registerUndocumentedEndpoint<Definitions, typeof idInPath, ConsoleCaller, Role>(app, app.consoleGate, {
    ...endpoint,
    ...(endpoint.path.includes('{id}') && { pathParameters: idInPath }),
    scope: role ?? (endpoint.method === 'GET' ? 'viewer' : 'editor'),
    handle: async (call) => {
      const { request, reply } = call;
      const body = await handle(call);
      if (body instanceof SpoolFile) sendFile(request, reply, body, []);
      else if (body !== undefined)
        sendResponse(request, reply, await prepareWith(body, request.headers['accept-encoding'], []));
    },
  });
}

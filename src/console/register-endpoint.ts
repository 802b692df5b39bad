import type { FastifyInstance } from 'fastify';
import { liveSideOf, modeOf } from '../database/sides.ts';
import type { EndpointRules } from '../http/endpoint/declaration.ts';
import { type Call, type EndpointServices, registerUndocumentedEndpoint } from '../http/endpoint/register.ts';
import type { ParameterRules } from '../http/parameters/bind.ts';
import { text } from '../http/parameters/types.ts';
import { MAX_PATH_PARAMETER_LENGTH } from '../http/request-limits.ts';
import { prepareWith, sendFile, sendResponse } from '../http/responses/respond.ts';
import type { RenderedJson } from '../shared/rendered-json.ts';
import { SpoolFile } from '../shared/spool-file.ts';
import type { Role } from '../users/role.ts';
import type { RealmCaller } from './auth/realm.ts';
import { consoleErrors } from './errors.ts';
import { type ConsoleCaller, onSide } from './sessions/console-callers.ts';

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

type PageCall<Definitions extends ParameterRules, Caller extends RealmCaller> = Call<
  Definitions,
  typeof idInPath,
  Caller
>;
export type ConsoleCall<Definitions extends ParameterRules> = PageCall<Definitions, ConsoleCaller>;

/** An endpoint that the pages of a realm call. */
export interface PageEndpoint<
  Definitions extends ParameterRules,
  Caller extends RealmCaller,
  Least extends string,
> extends Pick<EndpointRules<Definitions>, 'method' | 'path' | 'parameters' | 'statuses'> {
  /** The least role that may call it. */
  role?: Least;
  /** Resolves to the response's body; undefined if it has sent the response. */
  handle(call: PageCall<Definitions, Caller>): Promise<RenderedJson | SpoolFile | undefined>;
}

/** Registers an endpoint for users with a session. Its path may have the parameter `{id}`. */
export function registerPageEndpoint<
  Definitions extends ParameterRules,
  Caller extends RealmCaller,
  Least extends string,
>(
  app: FastifyInstance,
  gate: EndpointServices<Caller, Least>,
  { role, handle, ...endpoint }: PageEndpoint<Definitions, Caller, Least> & { role: Least },
): void {
  registerUndocumentedEndpoint<Definitions, typeof idInPath, Caller, Least>(app, gate, {
    ...endpoint,
    ...(endpoint.path.includes('{id}') && { pathParameters: idInPath }),
    scope: role,
    handle: async (call) => {
      const { request, reply } = call;
      const body = await handle(call);
      if (body instanceof SpoolFile) sendFile(request, reply, body, []);
      else if (body !== undefined)
        sendResponse(request, reply, await prepareWith(body, request.headers['accept-encoding'], []));
    },
  });
}

/** What an endpoint is about if both sides of a merchant have the same. */
export interface ConsoleEndpoint<Definitions extends ParameterRules>
  extends PageEndpoint<Definitions, ConsoleCaller, Role> {
  /**
   * `shop` can be read in test data, and not changed; `user` is the user's own, and can be changed too. Its
   * caller is on the live side. By default, the data of the side that the page shows.
   */
  about?: 'shop' | 'user';
}

/** Registers an endpoint of the console. By default, viewers may read and editors may change data. */
export function registerConsoleEndpoint<Definitions extends ParameterRules>(
  app: FastifyInstance,
  { about, ...endpoint }: ConsoleEndpoint<Definitions>,
): void {
  const { method, handle } = endpoint;
  const role = endpoint.role ?? (method === 'GET' ? 'viewer' : 'editor');
  registerPageEndpoint<Definitions, ConsoleCaller, Role>(app, app.consoleGate, {
    ...endpoint,
    role,
    handle: async (call) => {
      if (about === undefined) return await handle(call);
      const { merchantId } = call.caller;
      if (about === 'shop' && method !== 'GET' && modeOf(merchantId) === 'test')
        throw consoleErrors.only_in_live_data();
      return await handle({ ...call, caller: onSide(call.caller, liveSideOf(merchantId)) });
    },
  });
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { until } from './until.ts';

/** Responses to requests without a route of the API may have these. */
const WITHOUT_ROUTE = [204, 400, 404, 405, 503];

/** Collects one service's responses with statuses that their routes do not declare. */
export class StatusWatch {
  readonly #logger: FastifyBaseLogger;
  #undeclared: string[] = [];
  #inProgress = 0;

  /** Create it before the service. */
  constructor(logger: FastifyBaseLogger) {
    this.#logger = logger;
    subscribe('fastify.initialization', this.#onInitialization);
  }

  /** Resolves to responses such as `GET /v1/products.json: 418` since the last call, when all have ended. */
  async undeclared(): Promise<string[]> {
    // The last response may reach its client before the service sees that it has finished.
    await until(() => this.#inProgress === 0, {
      timeoutMs: 120_000,
      intervalMs: 2,
      message: () => `${this.#inProgress} requests are still in progress`,
    });
    return this.#undeclared.splice(0);
  }

  stop(): void {
    unsubscribe('fastify.initialization', this.#onInitialization);
  }

  readonly #onInitialization = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    // Fastify logs to a child of the logger it is given, and pino's children inherit from their parents.
    if (!Object.prototype.isPrototypeOf.call(this.#logger, fastify.log)) return;
    fastify.addHook('onRequest', async (request, reply) => {
      this.#inProgress += 1;
      reply.raw.once('close', () => this.#onResponse(request, reply));
    });
  };

  #onResponse(request: FastifyRequest, reply: FastifyReply): void {
    const declared = request.routeOptions.config.statuses ?? WITHOUT_ROUTE;
    const status = reply.raw.statusCode;
    // No route declares the response of a proxy.
    const isOfProxy = status === 502 && request.raw.context?.simulated === 'end';
    // If the client disconnected, no status was sent.
    if (reply.raw.writableFinished && !isOfProxy && !declared.includes(status)) {
      this.#undeclared.push(`${request.method} ${request.url.split('?', 1)[0]}: ${status}`);
    }
    this.#inProgress -= 1;
  }
}

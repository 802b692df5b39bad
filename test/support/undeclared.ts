import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What requests without a route of the API can be answered with. */
const WITHOUT_ROUTE = [204, 400, 404, 405, 503];

/** Notes every answer of one service, told by its logger, whose status is not among its route's. */
export class StatusWatch extends EventEmitter {
  readonly #logger: FastifyBaseLogger;
  #undeclared: string[] = [];
  #underWay = 0;

  /** Has to be made before the service is. */
  constructor(logger: FastifyBaseLogger) {
    super();
    this.#logger = logger;
    subscribe('fastify.initialization', this.#onInitialization);
  }

  /** Answers such as `GET /v1/products.json: 418` since the last call, once none is under way. */
  async undeclared(): Promise<string[]> {
    // The last answer may have reached its caller before the service knows that it is finished.
    while (this.#underWay > 0) await once(this, 'answered');
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
      this.#underWay += 1;
      reply.raw.once('close', () => this.#answered(request, reply));
    });
  };

  #answered(request: FastifyRequest, reply: FastifyReply): void {
    const declared = request.routeOptions.config.statuses ?? WITHOUT_ROUTE;
    const status = reply.raw.statusCode;
    // Where the caller went away, no status was sent.
    if (reply.raw.writableFinished && !declared.includes(status)) {
      this.#undeclared.push(`${request.method} ${request.url.split('?', 1)[0]}: ${status}`);
    }
    this.#underWay -= 1;
    this.emit('answered');
  }
}

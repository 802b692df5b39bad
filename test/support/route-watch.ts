import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/** Collects routes that services register until `stop`, such as `GET /v1/products.json`. */
export class RouteWatch {
  readonly routes = new Set<string>();

  constructor() {
    subscribe('fastify.initialization', this.#onInitialization);
  }

  stop(): void {
    unsubscribe('fastify.initialization', this.#onInitialization);
  }

  readonly #onInitialization = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) this.routes.add(`${one} ${url}`);
    });
  };
}

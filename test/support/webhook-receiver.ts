import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { ClientEvent } from '../../src/events/event-types.ts';
import { type FindAddress, ReceiverRefused } from '../../src/webhooks/receiver-address.ts';
import { createCertificate } from './certificates.ts';

/** A port that merchants' receivers may have. */
const PUBLIC_PORT = 8443;

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The default responds 204. */
export type Respond = (message: Received, response: ServerResponse) => void;

interface Place {
  name: string;
  address: string;
  port: number;
  certificate: string;
}

/** Has its own address in 127.0.0.0/8, and records what it receives. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  readonly address: string;
  readonly name: string;
  readonly certificate: string;
  readonly #port: number;
  readonly #server: Server;
  respond: Respond = (_, response) => response.writeHead(204).end();

  private constructor(server: Server, { name, address, certificate, port }: Place) {
    this.#server = server;
    this.name = name;
    this.address = address;
    this.certificate = certificate;
    this.#port = port;
    server.on('request', async (request, response) => {
      const body = (await buffer(request)).toString();
      const message = { path: request.url ?? '', headers: request.headers, body };
      this.received.push(message);
      this.respond(message, response);
    });
  }

  /** This process trusts its certificate. */
  static async start(): Promise<WebhookReceiver> {
    // Of several trusted certificates for one name, the wrong one could be tried.
    const name = `${randomBytes(4).toString('hex')}.example`;
    const address = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
    const receiver = await WebhookReceiver.#listen(name, address, PUBLIC_PORT);
    setDefaultCACertificates([...getCACertificates('default'), receiver.certificate]);
    return receiver;
  }

  /** Starts a receiver at 127.0.0.1, for other processes that trust its certificate. */
  static async startLocal(): Promise<WebhookReceiver> {
    return await WebhookReceiver.#listen('127.0.0.1', '127.0.0.1', 0);
  }

  static async #listen(name: string, address: string, wanted: number): Promise<WebhookReceiver> {
    const pair = await createCertificate(name);
    const server = createServer(pair);
    server.listen(wanted, address);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new WebhookReceiver(server, { name, address, port, certificate: pair.cert });
  }

  get url(): string {
    return `https://${this.name}:${this.#port}/hooks`;
  }

  get events(): ClientEvent[] {
    const events = this.received.map(({ body }): ClientEvent => JSON.parse(body));
    return [...new Map(events.map((event) => [event.id, event])).values()];
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Finds receivers by their names, as if they were public. */
export function addressesOf(receivers: () => readonly WebhookReceiver[]): FindAddress {
  return async (host) => {
    const receiver = receivers().find(({ name }) => name === host);
    if (receiver === undefined) throw new ReceiverRefused('the host name has no address');
    return receiver.address;
  };
}

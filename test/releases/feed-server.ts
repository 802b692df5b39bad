import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves a document as RELEASE_FEED on this machine, and remembers the requests. */
export class FeedServer {
  readonly requests: { target: string; headers: IncomingHttpHeaders }[] = [];
  /** Sends the response. */
  respond: (response: ServerResponse) => void = (response) => response.writeHead(404).end();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.requests.push({ target: request.url ?? '', headers: request.headers });
      this.respond(response);
    });
  }

  static async start(): Promise<FeedServer> {
    const feed = new FeedServer();
    feed.#server.listen(0, '127.0.0.1');
    await once(feed.#server, 'listening');
    return feed;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/tradepost.json`;
  }

  /** From now on, responds with this document. */
  publish(document: object): void {
    this.respond = (response) => response.end(JSON.stringify(document));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** What the proxy does with a call. */
type Fault = 'pass' | 'cut' | 'silent' | 'change' | { status: number; body?: string };

const BUCKET = 'backups';
/** The keys that the server accepts. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** A real server with S3’s API, and a proxy before it that can fail. */
export class BucketServer implements AsyncDisposable {
  /** Decides about each call, in order. */
  fault: (call: { method: string; path: string }) => Fault = () => 'pass';
  /** Such as `PUT /backups/file?partNumber=1`. */
  readonly calls: string[] = [];
  readonly #directory: string;
  readonly #server: S3rver;
  readonly #port: number;
  readonly #proxy: Server;

  private constructor(directory: string, server: S3rver, port: number) {
    this.#directory = directory;
    this.#server = server;
    this.#port = port;
    this.#proxy = createServer((incoming, outgoing) => this.#handle(incoming, outgoing));
  }

  static async start(): Promise<BucketServer> {
    const directory = await mkdtemp(join(tmpdir(), 'tradepost-bucket-'));
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory,
      vhostBuckets: false,
      configureBuckets: [{ name: BUCKET }],
    });
    const { port } = await server.run();
    const bucket = new BucketServer(directory, server, port);
    bucket.#proxy.listen(0, '127.0.0.1');
    await once(bucket.#proxy, 'listening');
    return bucket;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#proxy.address() as AddressInfo).port}`;
  }

  get settings() {
    return { endpoint: this.endpoint, region: 'us-east-1', bucket: BUCKET, ...KEYS };
  }

  get environment() {
    return {
      BACKUP_TO: `s3://${BUCKET}/shop`,
      BACKUP_S3_ENDPOINT: this.endpoint,
      BACKUP_S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    };
  }

  /** The names of the objects below a prefix. */
  async names(prefix: string): Promise<string[]> {
    const found = await readdir(join(this.#directory, BUCKET, prefix)).catch(() => []);
    return found
      .filter((name) => name.endsWith('_object'))
      .map((name) => name.replace('._S3rver_object', ''));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#proxy.close();
    this.#proxy.closeAllConnections();
    await this.#server.close();
    await rm(this.#directory, { recursive: true, force: true });
  }

  #handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = '', url: path = '', headers } = incoming;
    this.calls.push(`${method} ${path}`);
    const fault = this.fault({ method, path });
    if (fault === 'silent') {
      incoming.resume();
      return;
    }
    if (fault === 'cut') {
      incoming.once('data', () => incoming.socket.destroy());
      if (method === 'GET' || method === 'DELETE') incoming.socket.destroy();
      return;
    }
    if (typeof fault === 'object') {
      incoming.resume();
      outgoing.writeHead(fault.status).end(fault.body ?? '');
      return;
    }
    // The signature is for the address that the client knows.
    const call = request({ host: '127.0.0.1', port: this.#port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    call.once('error', () => outgoing.destroy());
    if (fault === 'change') {
      incoming.on('data', (chunk: Buffer) => {
        chunk[0] = (chunk[0] ?? 0) ^ 1;
        call.write(chunk);
      });
      incoming.once('end', () => call.end());
    } else incoming.pipe(call);
  }
}

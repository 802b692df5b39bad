// A separate process: clients send one byte per second of a handshake, of headers or of post data.
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface CrowdTask {
  port: number;
  ca: string;
  clients: number;
  token: string;
}

export interface CrowdState {
  open: number;
  /** Connections that the service has closed so far. Each was reopened. */
  closed: number;
  /** Before those connections closed, by status. */
  responses: Record<string, number>;
}

const BYTE_INTERVAL_MS = 1_000;
const OPENS_PER_TICK = 100;

/** A ClientHello that never ends: the record says that it has 512 bytes. */
const HELLO = Buffer.concat([Buffer.from('1603010200010001fc0303', 'hex'), Buffer.alloc(500, 1)]);

class Crowd {
  readonly #task: CrowdTask;
  readonly #slow = new Map<Socket, { bytes: Buffer; at: number }>();
  readonly #responses: Record<string, number> = {};
  #closed = 0;
  #opening = 0;

  constructor(task: CrowdTask) {
    this.#task = task;
    setInterval(() => this.#tick(), BYTE_INTERVAL_MS);
    setInterval(() => this.#open(), BYTE_INTERVAL_MS / 10);
  }

  #open(): void {
    for (let count = 0; count < OPENS_PER_TICK; count += 1) {
      const number = this.#slow.size + this.#opening;
      if (number >= this.#task.clients) return;
      this.#opening += 1;
      this.#connect(number % 3);
    }
  }

  /** Slow in 0: its handshake, 1: its headers, 2: its post data. */
  #connect(kind: number): void {
    const { port, ca, token } = this.#task;
    const request = `POST /v1/campaigns.json?access_token=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\nContent-Type: application/json\r\n`;
    const headers = `${request}X-Padding: ${'x'.repeat(500)}\r\n\r\n`;
    const body = `${request}\r\n`;
    const isTls = kind !== 0;
    const begin = (): void => {
      this.#opening -= 1;
      if (kind === 2) socket.write(body);
      const bytes = kind === 0 ? HELLO : Buffer.from(kind === 1 ? headers : ' '.repeat(500));
      this.#slow.set(socket, { bytes, at: 0 });
      socket.off('close', failed);
      socket.on('close', () => {
        this.#slow.delete(socket);
        this.#closed += 1;
      });
    };
    const failed = (): void => {
      this.#opening -= 1;
    };
    const where = { host: '127.0.0.1', port };
    const socket: Socket = isTls ? connectTls({ ...where, ca }, begin) : connectPlain(where, begin);
    socket.on('close', failed);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1')) ?? [];
      if (status !== undefined) this.#responses[status] = (this.#responses[status] ?? 0) + 1;
    });
  }

  #tick(): void {
    for (const [socket, slow] of this.#slow) {
      if (slow.at < slow.bytes.length) socket.write(slow.bytes.subarray(slow.at, slow.at + 1));
      slow.at += 1;
    }
    process.send?.({
      open: this.#slow.size,
      closed: this.#closed,
      responses: this.#responses,
    } satisfies CrowdState);
  }
}

process.once('message', (task: CrowdTask) => new Crowd(task));
process.on('disconnect', () => process.exit());

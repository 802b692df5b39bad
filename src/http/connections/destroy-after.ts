import type { Duplex } from 'node:stream';

/** Destroys a connection that is still open after so many milliseconds. */
export function destroyAfter(milliseconds: number, socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
  socket.once('close', () => clearTimeout(timer));
}

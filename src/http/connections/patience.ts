import type { Duplex } from 'node:stream';

const patient = new WeakSet<Duplex>();

/**
 * Lets the request that a connection is sending take longer than the server's limit, while `receive` runs:
 * it has to give up by itself where nothing comes any more.
 */
export async function withPatience<T>(socket: Duplex, receive: () => Promise<T>): Promise<T> {
  patient.add(socket);
  try {
    return await receive();
  } finally {
    patient.delete(socket);
  }
}

/** Whether a request on this connection may take longer. */
export function isPatient(socket: Duplex): boolean {
  return patient.has(socket);
}

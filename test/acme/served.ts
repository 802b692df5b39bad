import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

/** Resolves to the certificate that a client gets for `host` on a port; null if `ca` does not lead to it. */
export async function servedTo(host: string, port: number, ca: string): Promise<X509Certificate | null> {
  const socket = connect({ host: '127.0.0.1', port, servername: host, ca });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerX509Certificate() ?? null;
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}

/** Resolves to a connection as an authority makes it to check a host. */
export async function challenged(host: string, port: number): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername: host,
    ALPNProtocols: ['acme-tls/1'],
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  return socket;
}

import type { BlockList, Server, Socket } from 'node:net';
import { isTrustedProxy, networkOf } from '../gate/client-address.ts';

const MAX_NETWORK_SHARE = 0.5;

export interface ConnectionSettings {
  maxConnections: number;
  trustedProxies: BlockList;
}

/**
 * Closes new connections to a server that has reached its limit, or its limit for one network. Trusted
 * proxies hold the connections of many clients, so only the overall limit applies to them.
 */
export function limitConnections(
  server: Server,
  { maxConnections, trustedProxies }: ConnectionSettings,
): void {
  server.maxConnections = maxConnections;
  // Otherwise a full worker's connection returns to the primary process, which offers it again and again.
  Object.assign(server, { dropMaxConnection: true });
  const maxPerNetwork = Math.max(1, Math.floor(maxConnections * MAX_NETWORK_SHARE));
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isTrustedProxy(remoteAddress, trustedProxies)) return;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
    if (count > maxPerNetwork) socket.destroy();
  });
}

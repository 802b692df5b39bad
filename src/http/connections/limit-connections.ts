import type { BlockList, Server, Socket } from 'node:net';
import { isTrustedProxy, networkOf } from '../gate/client-address.ts';

/** One network has at most this part of all connections, so that others get some whatever it does. */
const MAX_NETWORK_SHARE = 0.5;

/** The settings that bound connections. */
export interface ConnectionSettings {
  maxConnections: number;
  trustedProxies: BlockList;
}

/**
 * Closes what connects to a server that has its fill of connections, or of those of one network. Proxies
 * that are trusted hold the connections of all of their callers: they count only in all.
 */
export function limitConnections(
  server: Server,
  { maxConnections, trustedProxies }: ConnectionSettings,
): void {
  server.maxConnections = maxConnections;
  // Else the primary process would hand what a full worker does not take to the next one, for ever.
  Object.assign(server, { dropMaxConnection: true });
  const most = Math.max(1, Math.floor(maxConnections * MAX_NETWORK_SHARE));
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
    if (count > most) socket.destroy();
  });
}

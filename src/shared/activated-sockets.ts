import cluster from 'node:cluster';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type Server, SocketAddress } from 'node:net';
import { SettingError } from './setting-error.ts';

const PURPOSES = ['api', 'operator', 'metrics'] as const;
type Purpose = (typeof PURPOSES)[number];

/**
 * The descriptors of the sockets on which systemd listens for this service, so that connections wait while it
 * restarts.
 */
export type ActivatedSockets = Readonly<Partial<Record<Purpose, number>>>;

/** The descriptor of the first socket, by the protocol of systemd (sd_listen_fds). */
const FIRST_DESCRIPTOR = 3;
/** How many connections can wait. The system may allow fewer (net.core.somaxconn). */
const BACKLOG = 4_096;

/**
 * Returns the sockets that systemd passed to the process `pid`. One whose unit has the `FileDescriptorName`
 * "operator" or "metrics" is for OPERATOR_ADDRESS or METRICS_ADDRESS, and any other is for the API.
 * @throws {SettingError} if two are for the same
 */
export function activatedSockets(
  environment: Readonly<Record<string, string | undefined>>,
  pid: number,
): ActivatedSockets {
  const { LISTEN_PID, LISTEN_FDS = '0', LISTEN_FDNAMES = '' } = environment;
  // A process inherits the variables of its parent, whose sockets it does not have.
  if (LISTEN_PID !== String(pid)) return {};
  const names = LISTEN_FDNAMES.split(':');
  const sockets: Partial<Record<Purpose, number>> = {};
  for (let index = 0; index < Number(LISTEN_FDS); index += 1) {
    const purpose = PURPOSES.find((each) => each === names[index]) ?? 'api';
    if (sockets[purpose] !== undefined)
      throw new SettingError(
        `systemd listens on two sockets with the purpose "${purpose}": expected one ListenStream= for each unit, and FileDescriptorName=operator or metrics for the other units.`,
      );
    sockets[purpose] = FIRST_DESCRIPTOR + index;
  }
  return sockets;
}

export interface StatedAddress {
  host: string;
  /** 0 for any. */
  port: number;
  /** The settings that state it, with the verb, such as "HOST and PORT state". */
  settings: string;
}

/**
 * Makes a server accept the connections of a socket of systemd. In a worker, `descriptor` is the number that
 * the socket has in the primary process.
 * @throws {SettingError} if the socket cannot be used or has another address than the settings
 */
export async function listenOnSocket(
  server: Server,
  descriptor: number,
  stated: StatedAddress,
): Promise<void> {
  try {
    server.listen({ fd: descriptor }, BACKLOG);
    await once(server, 'listening');
  } catch {
    throw new SettingError(
      `The socket of systemd for ${nameOf(stated.host, stated.port)} cannot be used: expected a unit with ListenStream= and an address and a port.`,
    );
  }
  const bound = server.address();
  if (bound === null || typeof bound === 'string' || (await isStated(bound, stated))) return;
  // A worker would close the socket of all workers before it reports why.
  if (!cluster.isWorker) server.close();
  throw new SettingError(
    `systemd listens on ${nameOf(bound.address, bound.port)}, but ${stated.settings} ${nameOf(stated.host, stated.port)}. ` +
      'Change ListenStream= with “systemctl edit” of the socket unit, or the settings; then stop and start the service.',
  );
}

async function isStated(
  bound: { address: string; port: number },
  { host, port }: StatedAddress,
): Promise<boolean> {
  if (port !== 0 && port !== bound.port) return false;
  const { address, family } = await lookup(host);
  return new SocketAddress({ address, family: family === 6 ? 'ipv6' : 'ipv4' }).address === bound.address;
}

function nameOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

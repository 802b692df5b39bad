import { BlockList, isIP } from 'node:net';
import type { PostgresAddress } from '../database/postgres/address.ts';
import { type Finding, findingsOf } from './finding.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Connections over a Unix socket or a loopback address stay on the machine and need no TLS. */
export function checkDatabaseTls({ hosts, sslMode }: Pick<PostgresAddress, 'hosts' | 'sslMode'>): Finding[] {
  if (sslMode === 'verify-full') return [];
  const remote = hosts.map(({ host }) => host).filter((host) => !staysOnMachine(host));
  if (remote.length === 0) return [];
  return [
    findingsOf('database').warning(
      `sslmode is ${sslMode}, so another server could impersonate ${remote.join(', ')}`,
      'add sslmode=verify-full to DATABASE_URL, and sslrootcert for a private certificate authority',
    ),
  ];
}

function staysOnMachine(host: string): boolean {
  if (host.startsWith('/') || host === 'localhost') return true;
  const version = isIP(host);
  return version !== 0 && loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

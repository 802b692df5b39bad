import { BlockList, isIP } from 'node:net';
import type { PostgresAddress } from '../database/postgres/address.ts';
import { type Finding, findingsOf } from './finding.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Whether the connection to the database server can be read or answered by somebody in between. Not over a Unix
 * socket or a loopback address: those connections do not leave the machine.
 */
export function checkDatabaseTls({ hosts, sslMode }: Pick<PostgresAddress, 'hosts' | 'sslMode'>): Finding[] {
  if (sslMode === 'verify-full') return [];
  const remote = hosts.map(({ host }) => host).filter((host) => !staysOnMachine(host));
  if (remote.length === 0) return [];
  return [
    findingsOf('database').warning(
      `sslmode is ${sslMode}: the connection to ${remote.join(', ')} may reach another server unnoticed`,
      'add sslmode=verify-full to DATABASE_URL, and sslrootcert if the authority is your own',
    ),
  ];
}

function staysOnMachine(host: string): boolean {
  if (host.startsWith('/') || host === 'localhost') return true;
  const version = isIP(host);
  return version !== 0 && loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { Client } from './client.ts';

/** Opens a connection, and does not read the responses. */
export async function requestAndStall(
  { client }: { client: Client },
  paths: string | string[],
  cookie = '',
): Promise<TLSSocket> {
  const { hostname: host, port } = client.origin;
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.pause();
  const headers = `Host: x\r\nSec-Fetch-Site: same-origin\r\nCookie: ${cookie}\r\n`;
  socket.write(
    [paths]
      .flat()
      .map((path) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`)
      .join(''),
  );
  return socket;
}

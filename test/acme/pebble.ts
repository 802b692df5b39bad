import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createCertificate } from '../support/certificates.ts';
import { EXIT_WITH_PARENT, freePort } from '../support/postgres/programs.ts';
import { type Owner, temporaryDirectory } from '../support/process.ts';
import { until } from '../support/until.ts';

const PROGRAM = '/usr/bin/pebble';
export const skip = existsSync(PROGRAM) ? false : 'pebble is not installed: apt-get install pebble';

/** A certificate authority for tests: Let's Encrypt's Pebble, which refuses some nonces at random. */
export interface Pebble {
  /** Settings of a service that uses it. */
  settings: { TLS: string; ACME_DIRECTORY: string; ACME_CA_FILE: string; ACME_ACCEPT_TERMS: string };
  /** The hosts that its name server knows. They have the address 127.0.0.1. */
  hosts: Set<string>;
  /** Resolves to the root of the certificates that it issues, in PEM. */
  readRoot(): Promise<string>;
  start(): Promise<void>;
}

/** It checks hosts on `tlsPort`, ends with its owner, and issues certificates that are valid for an hour. */
export async function preparePebble(t: Owner, tlsPort: number): Promise<Pebble> {
  const directory = await temporaryDirectory(t);
  const hosts = new Set<string>();
  const nameServer = await startNameServer(t, hosts);
  const [port, managementPort] = [await freePort(), await freePort()];
  const [configFile, certificate, privateKey] = ['pebble.json', 'cert.pem', 'key.pem'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  const pair = await createCertificate('pebble');
  await writeFile(certificate, pair.cert);
  await writeFile(privateKey, pair.key);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate,
    privateKey,
    httpPort: 1,
    tlsPort,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    certificateValidityPeriod: 3600,
  };
  await writeFile(configFile, JSON.stringify({ pebble }));
  const fetchText = async (url: string): Promise<string> => {
    const [response] = await once(get(url, { ca: pair.cert, agent: false }), 'response');
    return await text(response);
  };
  return {
    settings: {
      TLS: 'acme',
      ACME_DIRECTORY: `https://127.0.0.1:${port}/dir`,
      ACME_CA_FILE: certificate,
      ACME_ACCEPT_TERMS: 'on',
    },
    hosts,
    readRoot: () => fetchText(`https://127.0.0.1:${managementPort}/roots/0`),
    start: async () => {
      const command = [...EXIT_WITH_PARENT, PROGRAM, '-config', configFile, '-dnsserver', nameServer];
      const [program = '', ...flags] = command;
      const env = { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20' };
      const child = spawn(program, flags, { env, stdio: 'ignore' });
      t.after(() => child.kill('SIGKILL'));
      await until(() => fetchText(`https://127.0.0.1:${port}/dir`).catch(() => null), {
        message: 'pebble does not respond',
      });
    },
  };
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const NO_SUCH_NAME = 3;

/** Answers questions for addresses over UDP. Resolves to its own address. */
async function startNameServer(t: Owner, hosts: ReadonlySet<string>): Promise<string> {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.on('message', (query, { port, address }) => socket.send(answerOf(query, hosts), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

function answerOf(query: Buffer, hosts: ReadonlySet<string>): Buffer {
  const labels: string[] = [];
  let end = HEADER_BYTES;
  for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
    labels.push(query.toString('latin1', end + 1, end + 1 + length).toLowerCase());
    end += length + 1;
  }
  const question = query.subarray(HEADER_BYTES, end + 5);
  const isKnown = hosts.has(labels.join('.'));
  const isAnswered = isKnown && query.readUInt16BE(end + 1) === TYPE_A;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  // A response of the name's own server, which can recurse.
  header.writeUInt16BE(0x8580 | (isKnown ? 0 : NO_SUCH_NAME), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(isAnswered ? 1 : 0, 6);
  // The name of the question, type A, class IN, 0 s, 4 bytes: 127.0.0.1.
  const answer = Buffer.from('c00c00010001000000000004' + '7f000001', 'hex');
  return Buffer.concat(isAnswered ? [header, question, answer] : [header, question]);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificate } from '../support/certificates.ts';
import { EXIT_WITH_PARENT, freePort } from '../support/postgres/programs.ts';
import type { Owner } from '../support/process.ts';
import { until } from '../support/until.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const START_MS = 15_000;

const NUMBERS = Array.from({ length: 24 }, (_, index) => index + 1);

/**
 * Local addresses, and the IPv6 addresses that the proxies map them to, because a machine can rely only on
 * `::1`. `ofOne` belong to one subscriber, each of `ofMany` to another. In nginx's notation.
 */
export const simulatedAddresses = {
  ofOne: NUMBERS.map((n) => ({
    local: `127.6.0.${n}`,
    address: n % 2 === 0 ? `2001:0:0:5::${n}` : `2001::5:1:2:3:${n}`,
  })),
  ofMany: NUMBERS.map((n) => ({
    local: `127.6.1.${n}`,
    address:
      [`2001:db8:0:${n}::1`, `2001:db8:${n}::1`, `2001:${n}::1`, `2001::${n}:1:2:3:4`, `20${n}::1`][n % 5] ??
      '',
  })),
};

const addressMapLines = (end = ''): string =>
  Object.values(simulatedAddresses)
    .flat()
    .map(({ local, address }) => `${local} ${address}${end}\n`)
    .join('');

interface ProxySetup {
  directory: string;
  /** Paths of the certificate, the key, and a file with both. */
  certificate: { cert: string; key: string; both: string };
  plainPort: number;
  tlsPort: number;
  instances: [number, number];
}

/** A proxy from a Debian package, with the configuration in deploy/. */
export interface ProxyKind {
  name: string;
  program: string;
  /** Writes the configuration. Resolves to the flags that run the proxy in the foreground. */
  prepare(setup: ProxySetup): Promise<string[]>;
}

/** @throws if a text does not occur */
function substitute(text: string, replacements: [from: string, to: string][]): string {
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`the configuration does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

const TEMPORARY_DIRECTORIES = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const nginx: ProxyKind = {
  name: 'nginx',
  program: '/usr/sbin/nginx',
  prepare: async ({ directory, certificate, plainPort, tlsPort, instances }) => {
    const site = substitute(await readFile(join(DEPLOY, 'nginx/tradepost.conf'), 'utf8'), [
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${tlsPort} ssl http2;`],
      ['listen [::]:80;', ''],
      ['listen [::]:443 ssl http2;', ''],
      ['127.0.0.1:8080', `127.0.0.1:${instances[0]}`],
      ['127.0.0.1:8081', `127.0.0.1:${instances[1]}`],
      ['/etc/letsencrypt/live/shop.example/fullchain.pem', certificate.cert],
      ['/etc/letsencrypt/live/shop.example/privkey.pem', certificate.key],
      ['/var/log/nginx/', `${directory}/log/`],
      ['map $remote_addr ', 'map $simulated_address '],
    ]);
    await writeFile(join(directory, 'site.conf'), site);
    const temporary = TEMPORARY_DIRECTORIES.map((name) => `${name}_temp_path ${directory}/${name};`);
    const main = `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
pid ${directory}/nginx.pid;
error_log ${directory}/log/error.log;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  map $remote_addr $simulated_address {
    default $remote_addr;
    ${addressMapLines(';')}
  }
  include ${directory}/site.conf;
}
`;
    const file = join(directory, 'nginx.conf');
    await writeFile(file, main);
    return ['-p', directory, '-c', file, '-e', join(directory, 'log/error.log')];
  },
};

const haproxy: ProxyKind = {
  name: 'HAProxy',
  program: '/usr/sbin/haproxy',
  prepare: async ({ directory, certificate, plainPort, tlsPort, instances }) => {
    const file = join(directory, 'haproxy.cfg');
    const addressMap = join(directory, 'addresses.map');
    await writeFile(addressMap, addressMapLines());
    const track = '    tcp-request connection track-sc0 ';
    const simulate = `    tcp-request connection set-src src,map_ip(${addressMap}) if { src 127.6.0.0/16 }\n`;
    const configuration = substitute(await readFile(join(DEPLOY, 'haproxy/haproxy.cfg'), 'utf8'), [
      ['    user haproxy\n    group haproxy\n', ''],
      ['log /dev/log local0', 'log stdout format raw local0'],
      ['    bind :::80 v6only\n', ''],
      ['    bind :::443 v6only ssl crt /etc/haproxy/certs/shop.example.pem alpn h2,http/1.1\n', ''],
      [track, `${simulate}${track}`],
      ['bind :80\n', `bind 127.0.0.1:${plainPort}\n`],
      ['bind :443 ', `bind 127.0.0.1:${tlsPort} `],
      ['/etc/haproxy/certs/shop.example.pem', certificate.both],
      ['127.0.0.1:8080', `127.0.0.1:${instances[0]}`],
      ['127.0.0.1:8081', `127.0.0.1:${instances[1]}`],
    ]);
    await writeFile(file, configuration);
    return ['-db', '-f', file];
  },
};

export const proxyKinds = [nginx, haproxy];

export async function isInstalled({ program }: ProxyKind): Promise<boolean> {
  return await access(program).then(
    () => true,
    () => false,
  );
}

export interface RunningProxy {
  plainOrigin: string;
  origin: string;
  ca: string;
  /** When each last changed (ms since 1970), by name. */
  temporaryDirectoryTimes(): Promise<Record<string, number>>;
  /** Reads log files, standard output and standard error. */
  readLogs(): Promise<string>;
}

/** Resolves once it accepts connections. It ends with its owner. */
export async function startProxy(
  t: Owner,
  kind: ProxyKind,
  instances: [number, number],
): Promise<RunningProxy> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-proxy-'));
  await mkdir(join(directory, 'log'));
  const pair = await createCertificate('localhost');
  const certificate = {
    cert: join(directory, 'cert.pem'),
    key: join(directory, 'key.pem'),
    both: join(directory, 'both.pem'),
  };
  await writeFile(certificate.cert, pair.cert);
  await writeFile(certificate.key, pair.key);
  await writeFile(certificate.both, `${pair.cert}\n${pair.key}`);
  const [plainPort, tlsPort] = [await freePort(), await freePort()];
  const flags = await kind.prepare({ directory, certificate, plainPort, tlsPort, instances });
  const [program = '', ...rest] = [...EXIT_WITH_PARENT, kind.program, ...flags];
  const child = spawn(program, rest, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true });
  });
  const readLogs = async (): Promise<string> => {
    const logs = await readdir(join(directory, 'log'));
    const texts = await Promise.all(logs.map((name) => readFile(join(directory, 'log', name), 'utf8')));
    return [...texts, Buffer.concat(output)].join('\n');
  };
  const temporaryDirectoryTimes = async (): Promise<Record<string, number>> => {
    const names = (await readdir(directory)).filter((name) => TEMPORARY_DIRECTORIES.includes(name));
    return Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name, (await stat(join(directory, name))).mtimeMs] as const),
      ),
    );
  };
  const isUp = async (): Promise<boolean> => (await accepts(tlsPort)) || child.exitCode !== null;
  await until(isUp, { timeoutMs: START_MS }).catch(() => undefined);
  if (!(await accepts(tlsPort))) throw new Error(`${kind.name} did not start:\n${await readLogs()}`);
  const [plainOrigin, origin] = [`http://127.0.0.1:${plainPort}`, `https://127.0.0.1:${tlsPort}`];
  return { plainOrigin, origin, ca: pair.cert, temporaryDirectoryTimes, readLogs };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

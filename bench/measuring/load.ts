import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Load {
  url: string;
  seconds: number;
  headers?: Record<string, string>;
  /** In Lua, for wrk; varies the requests. */
  script?: string;
  /** Persistent connections. Default: 32. */
  connections?: number;
  /** Set if the service may refuse requests, which then do not count. */
  mayRefuse?: true;
}

export interface LoadResult {
  requestsPerSecond: number;
  refusedShare: number;
  /** The share of one core that the load generator used. */
  generatorShare: number;
}

const CONNECTIONS = 32;

/**
 * Sends requests as fast as the server responds, over persistent connections, from one core. Needs wrk.
 * @throws {Error} if wrk is missing or any response is an error, unless the service may refuse requests
 */
export async function load({
  url,
  seconds,
  headers = {},
  script,
  connections = CONNECTIONS,
  mayRefuse,
}: Load): Promise<LoadResult> {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  try {
    const scriptFile = join(directory, 'requests.lua');
    if (script !== undefined) writeFileSync(scriptFile, script);
    const parameters = [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(script === undefined ? [] : ['-s', scriptFile]),
      url,
    ];
    const output = await run('bash', ['-c', 'TIMEFORMAT="cpu %U %S"; time wrk "$@"', 'wrk', ...parameters]);
    const rate = /Requests\/sec:\s+([\d.]+)/.exec(output)?.[1];
    const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(output) ?? [];
    const [, refused = '0'] = /Non-2xx or 3xx responses: (\d+)/.exec(output) ?? [];
    if (rate === undefined || /Socket errors/.test(output) || (refused !== '0' && mayRefuse !== true))
      throw new Error(`wrk failed:\n${output}`);
    const refusedShare = Number(refused) / Number(/(\d+) requests in/.exec(output)?.[1]);
    return {
      requestsPerSecond: Number(rate) * (1 - refusedShare),
      refusedShare,
      generatorShare: (Number(user) + Number(system)) / seconds,
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function run(command: string, parameters: string[]): Promise<string> {
  const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.on('error', reject);
  child.on('close', () => resolve(output));
  return await promise;
}

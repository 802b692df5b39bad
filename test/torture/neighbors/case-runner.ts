import { join } from 'node:path';
import type { Figure } from '../../../bench/measuring/figures.ts';
import type { Owner } from '../../support/process.ts';
import type { EngineName } from '../engines.ts';
import { type Extent, figure } from '../scenario.ts';
import { StressedServer, type StressedSettings } from '../server.ts';
import {
  type Attack,
  type Case,
  type CaseContext,
  HOSTILE_ADDRESSES,
  QUIET_ADDRESS,
  signIn,
} from './case.ts';
import { quietSignIns } from './cases/sign-in.ts';
import { type LoopFigures, readLoopFigures, watchedAt } from './loop-figures.ts';
import { type MerchantName, merchantNames, type Sizes } from './merchants.ts';
import { quietWork } from './quiet.ts';
import { WorkerProcess } from './worker-process.ts';
import type { Target, Workload, WorkloadResult } from './workload.ts';

/** Seconds of each phase, and the quiet merchant's requests per second. */
const PHASES = {
  full: { warmUp: 3, alone: 10, attack: 20, rate: 100 },
  short: { warmUp: 1, alone: 2, attack: 0.7, rate: 50 },
};
const SIGN_INS_PER_SECOND = 1;
/** The quiet merchant's p99 relative to its p99 alone, and the longest block of the event loop, in ms. */
const LIMITS = {
  full: { factor: 3, addedMs: 20, blockMs: 20 },
  // Other tests run on the same cores, so the server may wait for a core.
  short: { factor: 3, addedMs: 500, blockMs: 250 },
};
/** In MB. A server that exceeds it is killed, because the machine is shared. */
const MAX_RESIDENT_MB = 3_000;
const SAMPLE_MS = 50;
/** Empty values select the defaults. */
const DEFAULT_LIMITS = { RATE_LIMIT: '', ADDRESS_RATE_LIMIT: '', AUTH_FAILURE_LIMIT: '' };

interface RunnerOptions {
  engine: EngineName;
  settings: StressedSettings;
  sizes: Sizes;
  extent: Extent;
}

interface RunningServer {
  context: CaseContext;
  quiet: WorkerProcess;
  signIns: WorkerProcess | undefined;
  alone: WorkloadResult;
}

/** Runs cases one after the other on one database, each on its own server, or in short runs on one. */
export class CaseRunner {
  readonly #t: Owner;
  readonly #options: RunnerOptions;
  readonly #sessions = new Map<MerchantName, string>();
  readonly #loopPath: string;
  #kept: RunningServer | undefined;
  #keptIsProxied = false;
  #workers: WorkerProcess[] = [];

  constructor(t: Owner, options: RunnerOptions) {
    this.#t = t;
    this.#options = options;
    this.#loopPath = join(options.settings.DATA_DIR, 'loop.sock');
  }

  async run(one: Case): Promise<Figure[]> {
    const { extent, engine } = this.#options;
    const extentName = extent.full ? 'full' : 'short';
    const seconds = extent.minutes === undefined ? PHASES[extentName].attack : extent.minutes * 60;
    const prepared = await this.#prepare(one);
    const { context, quiet, signIns, alone } = await this.#serverFor(one);
    const { server } = context;
    const from = one.sameAddress === true ? [QUIET_ADDRESS] : HOSTILE_ADDRESSES;
    const target = { port: server.port, ca: server.ca, from };
    const hostile = await this.#startHostile(target, one.workloads?.(context) ?? []);
    const before = { resident: server.resident(), cpu: server.cpuSeconds(), at: performance.now() };
    await readLoopFigures(this.#loopPath);
    let [isOver, resident, wasStopped] = [false, before.resident, false];
    const sampling = setInterval(() => {
      if (!server.isAlive) return;
      resident = Math.max(resident, server.resident());
      if (resident < MAX_RESIDENT_MB || wasStopped) return;
      wasStopped = true;
      void server.kill();
    }, SAMPLE_MS);
    // The hostile merchant starts first, and continues until the quiet one has finished.
    const attacks = hostile.map((worker) => worker.run(seconds + 0.3).catch(() => undefined));
    const duringAttack = (prepared ?? one.duringAttack)?.(context, () => isOver);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const [outcome, signedIn] = await Promise.all([quiet.run(seconds), signIns?.run(seconds)]);
    const loop = await readLoopFigures(this.#loopPath).catch((error) => {
      if (wasStopped) return undefined;
      throw error;
    });
    const elapsed = (performance.now() - before.at) / 1_000;
    const cpu = wasStopped ? Number.NaN : (server.cpuSeconds() - before.cpu) / elapsed;
    isOver = true;
    const attacked = (await Promise.all(attacks)).filter((attack) => attack !== undefined);
    const caseSpecific = (await duringAttack) ?? [];
    clearInterval(sampling);
    if (!server.isAlive && !wasStopped) server.check();
    const errors = server.problems.splice(0);
    if (extent.full || wasStopped) await this.end();
    const facts = { alone, outcome, loop, attacked, cpu, resident, residentBefore: before.resident };
    const figures = [
      ...caseFigures(facts, extentName, wasStopped ? '; the server was killed for its memory use' : ''),
      ...(signedIn === undefined ? [] : [signInFigure(signedIn, extent.full)]),
      ...(one.maxResidentMb === undefined && !wasStopped
        ? []
        : [
            figure(
              'resident, in MB',
              resident,
              extent.full || wasStopped ? { atMost: one.maxResidentMb ?? MAX_RESIDENT_MB } : null,
            ),
          ]),
      figure('errors in the log', errors.length, { atMost: 0 }, errors[0]?.slice(0, 200)),
      ...caseSpecific,
    ];
    const summary = figures.map(({ name, median }) => `${name} ${Number(median.toPrecision(3))}`).join(', ');
    if (extent.full) process.stderr.write(`${engine} ${one.name}: ${summary}\n`);
    return figures.map((entry) => ({ ...entry, name: `${engine} ${one.name}: ${entry.name}` }));
  }

  /** The next case starts another server, and measures the quiet merchant alone on it. */
  async end(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept === undefined) return;
    kept.quiet.end();
    kept.signIns?.end();
    // A graceful shutdown may have to wait for the hostile merchant's requests.
    await kept.context.server.kill();
  }

  async #prepare({ prepare }: Case): Promise<Attack | undefined> {
    if (prepare === undefined) return undefined;
    await this.end();
    const { settings, sizes } = this.#options;
    return await prepare({ t: this.#t, settings, sizes });
  }

  async #serverFor({ proxied = false }: Case): Promise<RunningServer> {
    if (this.#kept !== undefined && this.#keptIsProxied === proxied) return this.#kept;
    await this.end();
    const { settings, sizes, extent } = this.#options;
    const { warmUp, alone, rate } = PHASES[extent.full ? 'full' : 'short'];
    const all = { ...settings, ...DEFAULT_LIMITS, ...watchedAt(this.#loopPath) };
    if (this.#sessions.size === 0) await this.#signIn(all);
    const proxy = { TLS: 'proxy', TRUST_PROXY: '127.0.0.0/8' };
    const server = await StressedServer.start(this.#t, { ...all, ...(proxied && proxy) });
    const context = { sizes, full: extent.full, seed: extent.seed, server, sessions: this.#sessions };
    const target = { port: server.port, ca: server.ca, from: [QUIET_ADDRESS] };
    const work = quietWork(context, rate);
    const quiet = await WorkerProcess.start(this.#t);
    quiet.assign(target, proxied ? behindProxy(work) : work);
    const signIns = proxied ? await WorkerProcess.start(this.#t) : undefined;
    signIns?.assign(target, {
      action: 'request',
      requests: quietSignIns(),
      connections: 8,
      rate: SIGN_INS_PER_SECOND,
    });
    await quiet.run(warmUp);
    const [outcome] = await Promise.all([quiet.run(alone), signIns?.run(alone)]);
    this.#kept = { context, quiet, signIns, alone: outcome };
    this.#keptIsProxied = proxied;
    return this.#kept;
  }

  async #startHostile(target: Target, workloads: Workload[]): Promise<WorkerProcess[]> {
    this.#workers = this.#workers.filter(({ isAlive }) => isAlive);
    while (this.#workers.length < workloads.length) this.#workers.push(await WorkerProcess.start(this.#t));
    return workloads.map((work, index) => {
      const worker = this.#workers[index];
      if (worker === undefined) throw new Error('no worker process');
      worker.assign(target, work);
      return worker;
    });
  }

  /** Once for all servers, because password hashing is slow. */
  async #signIn(settings: StressedSettings): Promise<void> {
    const server = await StressedServer.start(this.#t, settings);
    for (const [number, name] of merchantNames.entries()) {
      this.#sessions.set(name, await signIn(server, name, `127.2.0.${1 + number}`));
    }
    await server.kill();
  }
}

function behindProxy(work: Workload): Workload {
  if (work.action !== 'request') return work;
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.200' };
  return {
    ...work,
    requests: work.requests.map((request) => ({ ...request, headers: { ...request.headers, ...forwarded } })),
  };
}

interface Facts {
  alone: WorkloadResult;
  outcome: WorkloadResult;
  loop: LoopFigures | undefined;
  attacked: WorkloadResult[];
  cpu: number;
  resident: number;
  residentBefore: number;
}

function caseFigures(
  { alone, outcome, loop, attacked, cpu, resident, residentBefore }: Facts,
  extent: keyof typeof LIMITS,
  remark: string,
): Figure[] {
  const { factor, addedMs, blockMs } = LIMITS[extent];
  const { all } = outcome;
  const waitingShare = extent === 'full' ? 0 : Math.min(0.9, loop?.descheduledShare ?? 0);
  const maxP99 = (factor * alone.all.p99 + addedMs) / (1 - waitingShare);
  const hostile = attacked.map(({ all: { byStatus }, bytes, lost, cpu: share }) => {
    return `${JSON.stringify(byStatus)}, ${(bytes / 2 ** 20).toFixed(0)} MB, ${lost} lost connections, ${share.toFixed(2)} of a core`;
  });
  const worst = Object.entries(outcome.kinds).sort(([, one], [, other]) => other.p99 - one.p99)[0];
  const notes = [
    `p50 ${all.p50.toFixed(1)}; alone p50 ${alone.all.p50.toFixed(1)}, p99 ${alone.all.p99.toFixed(1)}`,
    ...(worst === undefined ? [] : [`slowest ${worst[0]} with ${worst[1].p99.toFixed(1)}`]),
    `p99 of the sending delay ${outcome.lateMs.toFixed(1)}`,
    `server ${cpu.toFixed(2)} of a core, ${residentBefore.toFixed(0)} → ${resident.toFixed(0)} MB`,
    `hostile: ${hostile.join('; ') || 'imports'}${remark}`,
  ];
  const failed = all.count - (all.byStatus[200] ?? 0) + outcome.lost;
  const late = outcome.missed + outcome.pending;
  return [
    figure('quiet p99 in ms', all.p99, { atMost: maxP99 }, notes.join('; ')),
    figure(
      'quiet requests rejected or interrupted',
      failed,
      { atMost: 0 },
      `of ${all.count + outcome.lost + late}: ${JSON.stringify(all.byStatus)}`,
    ),
    figure(
      'quiet requests without a response within 2 s',
      late,
      extent === 'full' ? { atMost: 0 } : null,
      `served ${((100 * (all.byStatus[200] ?? 0)) / (all.count + outcome.lost + late)).toFixed(2)} %`,
    ),
    figure(
      'longest block of the event loop in ms',
      loop?.longestMs ?? Number.NaN,
      { atMost: blockMs },
      loop === undefined
        ? ''
        : `${loop.over20Ms} over 20 ms; p99.9 ${loop.p999Ms.toFixed(1)}; longest collection ${loop.longestCollectionMs.toFixed(1)} of ${loop.collectionsMs.toFixed(0)} in total; longest gap between turns ${loop.longestGapMs.toFixed(1)}; waited for a core ${(100 * loop.descheduledShare).toFixed(0)} % of the time`,
    ),
  ];
}

function signInFigure({ all, missed, lost, pending }: WorkloadResult, full: boolean): Figure {
  const served = all.byStatus[200] ?? 0;
  const total = all.count + missed + lost + pending;
  return figure(
    'share of successful sign-ins of the quiet merchant',
    served / total,
    full ? { atLeast: 1 } : null,
    `${total}: ${JSON.stringify(all.byStatus)}, p50 ${all.p50.toFixed(0)} ms, p99 ${all.p99.toFixed(0)} ms`,
  );
}

import { join } from 'node:path';
import type { Figure } from '../../../bench/measuring/figures.ts';
import type { Owner } from '../../support/process.ts';
import { type Extent, figure } from '../scenario.ts';
import { TorturedServer, type TorturedSettings } from '../server.ts';
import { quietSignIns } from './cases/sign-in.ts';
import type { EngineName } from './database.ts';
import { type LoopFigures, readLoopFigures, watchedAt } from './loop-figures.ts';
import { type MerchantName, merchantNames, type Sizes } from './merchants.ts';
import { quietWork } from './quiet.ts';
import type { Outcome, Target, Work } from './work.ts';
import { WorkerProcess } from './worker-process.ts';
import { type Case, HOSTILE_ADDRESSES, QUIET_ADDRESS, signIn, type World } from './world.ts';

/** Seconds of each part, and the quiet merchant's requests per second. */
const PACES = {
  full: { warmUp: 3, alone: 10, beside: 20, rate: 100 },
  short: { warmUp: 1, alone: 2, beside: 0.7, rate: 50 },
};
const SIGN_INS_PER_SECOND = 1;
/** What the quiet merchant's p99 may be, by its p99 alone, and the longest block, in ms. */
const BOUNDS = {
  full: { times: 3, moreMs: 20, blockMs: 20 },
  // Beside other tests on two cores: the p99 may grow by as much as the server has to wait for a core.
  short: { times: 3, moreMs: 500, blockMs: 250 },
};
/** A server that holds more than this, in MB, is ended: others use the machine too. */
const MOST_RESIDENT_MB = 3_000;
const SAMPLE_MS = 50;
/** As a service is set up. */
const DEFAULT_LIMITS = { RATE_LIMIT: '', ADDRESS_RATE_LIMIT: '', AUTH_FAILURE_LIMIT: '' };

interface Setting {
  engine: EngineName;
  settings: TorturedSettings;
  sizes: Sizes;
  extent: Extent;
}

interface Running {
  world: World;
  quiet: WorkerProcess;
  signIns: WorkerProcess | undefined;
  alone: Outcome;
}

/** Plays one case after the other on one database: each against a server of its own, in the short form one for all. */
export class Stage {
  readonly #t: Owner;
  readonly #setting: Setting;
  readonly #sessions = new Map<MerchantName, string>();
  readonly #loopPath: string;
  #kept: Running | undefined;
  #keptIsProxied = false;
  /** The hostile merchant's processes. */
  #workers: WorkerProcess[] = [];

  constructor(t: Owner, setting: Setting) {
    this.#t = t;
    this.#setting = setting;
    this.#loopPath = join(setting.settings.DATA_DIR, 'loop.sock');
  }

  async play(one: Case): Promise<Figure[]> {
    const { extent, engine } = this.#setting;
    const extentName = extent.full ? 'full' : 'short';
    const seconds = extent.minutes === undefined ? PACES[extentName].beside : extent.minutes * 60;
    const running = await this.#running(one);
    const { world, quiet, signIns, alone } = running;
    const { server } = world;
    const from = one.sameAddress === true ? [QUIET_ADDRESS] : HOSTILE_ADDRESSES;
    const target = { port: server.port, ca: server.ca, from };
    const hostile = await this.#hostile(target, one.works?.(world) ?? []);
    const before = { resident: server.resident(), cpu: server.cpuSeconds(), at: performance.now() };
    await readLoopFigures(this.#loopPath);
    let [isOver, resident, wasStopped] = [false, before.resident, false];
    const sampling = setInterval(() => {
      if (!server.isAlive) return;
      resident = Math.max(resident, server.resident());
      if (resident < MOST_RESIDENT_MB || wasStopped) return;
      wasStopped = true;
      void server.kill();
    }, SAMPLE_MS);
    // The hostile merchant begins first, and goes on until the quiet one has ended.
    const attacks = hostile.map((worker) => worker.run(seconds + 0.3).catch(() => undefined));
    const beside = one.beside?.(world, () => isOver);
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
    const further = (await beside) ?? [];
    clearInterval(sampling);
    if (!server.isAlive && !wasStopped) server.check();
    const errors = server.troubles.splice(0);
    if (extent.full || wasStopped) await this.end();
    const facts = { alone, outcome, loop, attacked, cpu, resident, residentBefore: before.resident };
    const figures = [
      ...caseFigures(facts, extentName, wasStopped ? '; the server was ended for its memory' : ''),
      ...(signedIn === undefined ? [] : [signInFigure(signedIn, extent.full)]),
      ...(one.mostResidentMb === undefined && !wasStopped
        ? []
        : [
            figure(
              'resident, in MB',
              resident,
              extent.full || wasStopped ? { atMost: one.mostResidentMb ?? MOST_RESIDENT_MB } : null,
            ),
          ]),
      figure('errors in the log', errors.length, { atMost: 0 }, errors[0]?.slice(0, 200)),
      ...further,
    ];
    const line = figures.map(({ name, median }) => `${name} ${Number(median.toPrecision(3))}`).join(', ');
    if (extent.full) process.stderr.write(`${engine} ${one.name}: ${line}\n`);
    return figures.map((made) => ({ ...made, name: `${engine} ${one.name}: ${made.name}` }));
  }

  /** Ends the server that is up. */
  async end(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept === undefined) return;
    kept.quiet.end();
    kept.signIns?.end();
    // Not as an operator does: what a hostile merchant left behind may take long.
    await kept.world.server.kill();
  }

  async #running({ proxied = false }: Case): Promise<Running> {
    if (this.#kept !== undefined && this.#keptIsProxied === proxied) return this.#kept;
    await this.end();
    const { settings, sizes, extent } = this.#setting;
    const { warmUp, alone, rate } = PACES[extent.full ? 'full' : 'short'];
    const all = { ...settings, ...DEFAULT_LIMITS, ...watchedAt(this.#loopPath) };
    if (this.#sessions.size === 0) await this.#signIn(all);
    const proxy = { TLS: 'proxy', TRUST_PROXY: '127.0.0.0/8' };
    const server = await TorturedServer.start(this.#t, { ...all, ...(proxied && proxy) });
    const world = { sizes, full: extent.full, seed: extent.seed, server, sessions: this.#sessions };
    const target = { port: server.port, ca: server.ca, from: [QUIET_ADDRESS] };
    const work = quietWork(world, rate);
    const quiet = await WorkerProcess.start(this.#t);
    quiet.assign(target, proxied ? behindProxy(work) : work);
    const signIns = proxied ? await WorkerProcess.start(this.#t) : undefined;
    signIns?.assign(target, {
      does: 'ask',
      asks: quietSignIns(),
      connections: 8,
      rate: SIGN_INS_PER_SECOND,
    });
    await quiet.run(warmUp);
    const [outcome] = await Promise.all([quiet.run(alone), signIns?.run(alone)]);
    this.#kept = { world, quiet, signIns, alone: outcome };
    this.#keptIsProxied = proxied;
    return this.#kept;
  }

  async #hostile(target: Target, works: Work[]): Promise<WorkerProcess[]> {
    this.#workers = this.#workers.filter(({ isAlive }) => isAlive);
    while (this.#workers.length < works.length) this.#workers.push(await WorkerProcess.start(this.#t));
    return works.map((work, index) => {
      const worker = this.#workers[index];
      if (worker === undefined) throw new Error('no worker process');
      worker.assign(target, work);
      return worker;
    });
  }

  /** Once for all servers: a password's hash takes long. */
  async #signIn(settings: TorturedSettings): Promise<void> {
    const server = await TorturedServer.start(this.#t, settings);
    for (const [number, name] of merchantNames.entries()) {
      this.#sessions.set(name, await signIn(server, name, `127.2.0.${1 + number}`));
    }
    await server.kill();
  }
}

function behindProxy(work: Work): Work {
  if (work.does !== 'ask') return work;
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.200' };
  return { ...work, asks: work.asks.map((ask) => ({ ...ask, headers: { ...ask.headers, ...forwarded } })) };
}

interface Facts {
  alone: Outcome;
  outcome: Outcome;
  /** Undefined where the server was ended. */
  loop: LoopFigures | undefined;
  attacked: Outcome[];
  cpu: number;
  resident: number;
  residentBefore: number;
}

function caseFigures(
  { alone, outcome, loop, attacked, cpu, resident, residentBefore }: Facts,
  extent: keyof typeof BOUNDS,
  remark: string,
): Figure[] {
  const { times, moreMs, blockMs } = BOUNDS[extent];
  const { all } = outcome;
  const starved = extent === 'full' ? 0 : Math.min(0.9, loop?.descheduledShare ?? 0);
  const mostP99 = (times * alone.all.p99 + moreMs) / (1 - starved);
  const hostile = attacked.map(({ all: { byStatus }, bytes, broken, cpu: share }) => {
    return `${JSON.stringify(byStatus)}, ${(bytes / 2 ** 20).toFixed(0)} MB, ${broken} connections lost, ${share.toFixed(2)} of a core`;
  });
  const worst = Object.entries(outcome.kinds).sort(([, one], [, other]) => other.p99 - one.p99)[0];
  const notes = [
    `p50 ${all.p50.toFixed(1)}; alone p50 ${alone.all.p50.toFixed(1)}, p99 ${alone.all.p99.toFixed(1)}`,
    ...(worst === undefined ? [] : [`slowest ${worst[0]} with ${worst[1].p99.toFixed(1)}`]),
    `sent late ${outcome.lateMs.toFixed(1)}`,
    `server ${cpu.toFixed(2)} of a core, ${residentBefore.toFixed(0)} → ${resident.toFixed(0)} MB`,
    `hostile: ${hostile.join('; ') || 'uploads'}${remark}`,
  ];
  const refused = all.count - (all.byStatus[200] ?? 0) + outcome.broken;
  const late = outcome.missed + outcome.unanswered;
  return [
    figure('quiet p99 in ms', all.p99, { atMost: mostP99 }, notes.join('; ')),
    figure(
      'quiet requests refused or cut off',
      refused,
      { atMost: 0 },
      `of ${all.count + outcome.broken + late}: ${JSON.stringify(all.byStatus)}`,
    ),
    figure(
      'quiet requests without an answer in 2 s',
      late,
      extent === 'full' ? { atMost: 0 } : null,
      `served ${((100 * (all.byStatus[200] ?? 0)) / (all.count + outcome.broken + late)).toFixed(2)} %`,
    ),
    figure(
      'longest block of the event loop in ms',
      loop?.longestMs ?? Number.NaN,
      { atMost: blockMs },
      loop === undefined
        ? ''
        : `${loop.over20Ms} over 20 ms; p99.9 ${loop.p999Ms.toFixed(1)}; longest collection ${loop.longestCollectionMs.toFixed(1)} of ${loop.collectionsMs.toFixed(0)} in all; longest time without a turn ${loop.longestGapMs.toFixed(1)}; waited for a core ${(100 * loop.descheduledShare).toFixed(0)} % of the time`,
    ),
  ];
}

function signInFigure({ all, missed, broken, unanswered }: Outcome, full: boolean): Figure {
  const served = all.byStatus[200] ?? 0;
  const asked = all.count + missed + broken + unanswered;
  return figure(
    'sign-ins of the quiet merchant that succeed',
    served / asked,
    full ? { atLeast: 1 } : null,
    `${asked}: ${JSON.stringify(all.byStatus)}, p50 ${all.p50.toFixed(0)} ms, p99 ${all.p99.toFixed(0)} ms`,
  );
}

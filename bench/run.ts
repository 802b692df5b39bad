import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine, EngineName } from './engines/engine.ts';
import { postgres } from './engines/postgres.ts';
import { sqlite } from './engines/sqlite.ts';
import { type Figure, holds } from './measure.ts';
import { campaigns } from './scenarios/campaigns.ts';
import { imports } from './scenarios/imports.ts';
import { lighthouseScores } from './scenarios/lighthouse.ts';
import { million } from './scenarios/million.ts';
import { pages } from './scenarios/pages.ts';
import { workers } from './scenarios/workers.ts';

const engines: Record<EngineName, () => Promise<Engine>> = { sqlite, postgres };
const scenarios: Record<string, (engine: Engine) => Promise<Figure[]>> = {
  pages,
  campaigns,
  imports,
  million,
  workers,
  lighthouse: lighthouseScores,
};

function machine(): string {
  const cores = cpus();
  return `${cores.length} × ${cores[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, median, low, high, bound, notes } = figure;
    const said = bound === null ? '' : 'atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`;
    const verdict = bound === null ? '' : holds(figure) ? 'holds' : 'falls short';
    const values = [median, low, high].map((value) => value.toPrecision(3));
    return `| ${name} | ${values[0]} | ${values[1]}–${values[2]} | ${said} | ${verdict} | ${notes} |`;
  });
  return ['| figure | median | spread | bound | | notes |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

/** The names given, each of which has to be one of `all`; all of them where none is given. */
function choose<Name extends string>(what: string, given: string[], all: Record<Name, unknown>): Name[] {
  const names = Object.keys(all) as Name[];
  const unknown = given.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0) {
    process.stderr.write(`No ${what} ${unknown.join(', ')}: there are ${names.join(', ')}.\n`);
    process.exit(1);
  }
  return given.length === 0 ? names : names.filter((name) => given.includes(name));
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', multiple: true } },
});
const chosen = choose('scenario', positionals, scenarios);
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
for (const engineName of choose('engine', values.engine ?? [], engines)) {
  const results = join(import.meta.dirname, 'results', engineName);
  mkdirSync(results, { recursive: true });
  await using engine = await engines[engineName]();
  for (const name of chosen) {
    const figures = (await scenarios[name]?.(engine)) ?? [];
    const date = new Date().toISOString().slice(0, 10);
    const facts = `${machine()}; ${engine.description}; commit ${commit}; ${date}.`;
    const page = `# ${name} on ${engineName}\n\n${facts}\n\n${table(figures)}\n`;
    writeFileSync(join(results, `${name}.md`), page);
    process.stdout.write(`${page}\n`);
  }
}

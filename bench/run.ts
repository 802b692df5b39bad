import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Figure, holds } from './measure.ts';
import { campaigns } from './scenarios/campaigns.ts';
import { imports } from './scenarios/imports.ts';
import { million } from './scenarios/million.ts';
import { pages } from './scenarios/pages.ts';

const scenarios: Record<string, () => Promise<Figure[]>> = { pages, campaigns, imports, million };

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

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(scenarios, name));
if (unknown.length > 0) {
  process.stderr.write(
    `No scenario ${unknown.join(', ')}: there are ${Object.keys(scenarios).join(', ')}.\n`,
  );
  process.exit(1);
}
const results = join(import.meta.dirname, 'results');
mkdirSync(results, { recursive: true });
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
for (const [name, scenario] of Object.entries(scenarios)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const figures = await scenario();
  const date = new Date().toISOString().slice(0, 10);
  const page = `# ${name}\n\n${machine()}; commit ${commit}; ${date}.\n\n${table(figures)}\n`;
  writeFileSync(join(results, `${name}.md`), page);
  process.stdout.write(`${page}\n`);
}

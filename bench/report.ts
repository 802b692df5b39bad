import { cpus, totalmem } from 'node:os';
import { type Figure, holds } from './measure.ts';

/** What is measured on, in a line. */
export function machine(): string {
  const cores = cpus();
  return `${cores.length} × ${cores[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
}

/** Figures as a table in Markdown. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, median, low, high, bound, notes } = figure;
    const said = bound === null ? '' : 'atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`;
    const verdict = bound === null ? '' : holds(figure) ? 'holds' : 'falls short';
    const values = [median, low, high].map((value) => value.toPrecision(3));
    return `| ${name} | ${values[0]} | ${values[1]}–${values[2]} | ${said} | ${verdict} | ${notes} |`;
  });
  return ['| figure | median | spread | bound | | notes |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

/** The names given, each of which has to be one of `all`; all of them where none is given. Else ends the program. */
export function choose<Name extends string>(
  what: string,
  given: string[],
  all: Record<Name, unknown>,
): Name[] {
  const names = Object.keys(all) as Name[];
  const unknown = given.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0) {
    process.stderr.write(`No ${what} ${unknown.join(', ')}: there are ${names.join(', ')}.\n`);
    process.exit(1);
  }
  return given.length === 0 ? names : names.filter((name) => given.includes(name));
}

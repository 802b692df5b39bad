import { cpus, totalmem } from 'node:os';
import { type Figure, holds } from './figures.ts';

export function machine(): string {
  const cores = cpus();
  return `${cores.length} × ${cores[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, median, low, high, bound, notes } = figure;
    const limit = bound === null ? '' : 'atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`;
    const verdict = bound === null ? '' : holds(figure) ? 'pass' : 'fail';
    const values = [median, low, high].map((value) => value.toPrecision(3));
    return `| ${name} | ${values[0]} | ${values[1]}–${values[2]} | ${limit} | ${verdict} | ${notes} |`;
  });
  return ['| figure | median | range | limit | result | notes |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

/** Returns all names if none are selected. Exits the program if a name is not in `all`. */
export function choose<Name extends string>(
  kind: string,
  selected: string[],
  all: Record<Name, unknown>,
): Name[] {
  const names = Object.keys(all) as Name[];
  const unknown = selected.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown ${kind} ${unknown.join(', ')}. Expected ${names.join(', ')}.\n`);
    process.exit(1);
  }
  return selected.length === 0 ? names : names.filter((name) => selected.includes(name));
}

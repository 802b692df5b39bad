import type { KindResult } from './measure.ts';
import type { RemoteOptions } from './options.ts';
import type { Survey } from './survey.ts';

/** With less of its CPU time left, the generator may limit the rate. */
const MAX_GENERATOR_SHARE = 0.8;
const SECONDS_PER_MINUTE = 60;

export function describePlan({ baseUrl, seconds, connections }: RemoteOptions, found: Survey): string {
  const { catalogs, keyLimit } = found;
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const sum = (figure: (catalog: Survey['catalogs'][number]) => number): number =>
    catalogs.reduce((total, catalog) => total + figure(catalog), 0);
  const load = `${count(seconds, 'second')} for each kind, ${count(connections, 'connection')}`;
  const content = `${count(catalogs.length, 'token')}, ${count(
    sum(({ pages }) => pages),
    'page',
  )} of 50, ${count(
    sum(({ variations }) => variations.length),
    'variation',
  )}`;
  const perKey =
    keyLimit === undefined
      ? 'The service reports no limit per key.'
      : `Each key may send ${keyLimit} requests per minute, so these ${count(catalogs.length, 'token')} at most ${Math.floor((keyLimit * catalogs.length) / SECONDS_PER_MINUTE)} per second (setting RATE_LIMIT).`;
  return `Measuring ${baseUrl.href}: ${load}; ${content}.

The service's rate limits apply to this measurement. ${perKey} All requests from this machine together are limited too (setting ADDRESS_RATE_LIMIT; 300000 per minute by default). A measurement that reaches a limit shows the limit, not the capacity: raise these settings for its duration, or use more tokens.
`;
}

export function describeResults(results: readonly KindResult[]): string {
  const rows = results.map((result) => {
    const { kind, seconds, served, median, p99, bytes } = result;
    const figures = [
      (served / seconds).toFixed(1),
      served === 0 ? '–' : median.toFixed(2),
      served === 0 ? '–' : p99.toFixed(2),
      (bytes / 1024).toFixed(1),
      `${(100 * failureShare(result)).toFixed(2)}%`,
      describeFailures(result),
    ];
    return `| ${[kind, ...figures].join(' | ')} |`;
  });
  const header = '| kind | requests/s | median ms | p99 ms | KB | refused or failed | why |';
  const warnings = results.flatMap(warningsFor);
  return [header, '|---|---|---|---|---|---|---|', ...rows, '', ...warnings, ''].join('\n');
}

function failureShare({ served, failures }: KindResult): number {
  const failed = Object.values(failures).reduce((sum, number) => sum + number, 0);
  return failed === 0 ? 0 : failed / (served + failed);
}

function describeFailures({ failures }: KindResult): string {
  return Object.entries(failures)
    .map(([reason, number]) => `${number} × ${reason}`)
    .join('; ');
}

function warningsFor({ kind, generatorShare, waited, failures }: KindResult): string[] {
  const warnings: string[] = [];
  if (generatorShare > MAX_GENERATOR_SHARE) {
    warnings.push(
      `${kind}: this machine was busy (${(100 * generatorShare).toFixed(0)}% of its cores), so the service may be able to serve more.`,
    );
  }
  if (waited > 0) {
    warnings.push(
      `${kind}: connections waited ${(100 * waited).toFixed(1)}% of the time after refusals, as Retry-After says. The rate is what the service allowed.`,
    );
  }
  for (const [limit, setting] of [
    ['"key"', 'RATE_LIMIT'],
    ['"address"', 'ADDRESS_RATE_LIMIT'],
  ] as const) {
    if (Object.keys(failures).some((reason) => reason.includes(limit))) {
      warnings.push(`${kind}: the limit ${limit} was reached. The setting ${setting} raises it.`);
    }
  }
  return warnings;
}

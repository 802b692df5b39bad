import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { MutantResult } from './stryker.ts';

const NOTICED = ['Killed', 'Timeout'];
const COUNTED = [...NOTICED, 'Survived', 'NoCoverage'];
const MAX_SHOWN = 160;

/** Returns Markdown: the score, and a table by folder. */
export function summarize(results: readonly MutantResult[], milliseconds: number): string {
  const sampled = results.filter(({ status }) => COUNTED.includes(status));
  const folders = Object.entries(Object.groupBy(sampled, folderOf)).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const lines = [
    '',
    `${results.length} mutants, ${sampled.length} sampled, score ${score(sampled)} %, ${Math.round(milliseconds / 60_000)} minutes`,
    '',
    '| folder | mutants | killed | timeout | survived | not reached | score |',
    '|---|---|---|---|---|---|---|',
    ...folders.map(([folder, mutants = []]) => row(folder, mutants)),
    row('all', sampled),
    '',
  ];
  return lines.join('\n');
}

/** A test failed or took too long. */
export function isNoticed({ status }: MutantResult): boolean {
  return NOTICED.includes(status);
}

function row(name: string, mutants: readonly MutantResult[]): string {
  const count = (wanted: MutantResult['status']): number =>
    mutants.filter(({ status }) => status === wanted).length;
  const counts = [count('Killed'), count('Timeout'), count('Survived'), count('NoCoverage')];
  return `| ${[name, mutants.length, ...counts, score(mutants)].join(' | ')} |`;
}

function score(mutants: readonly MutantResult[]): string {
  const noticed = mutants.filter(isNoticed).length;
  return ((100 * noticed) / mutants.length).toFixed(1);
}

function pathOf({ fileName }: MutantResult): string {
  return relative('', resolve(fileName));
}

function folderOf(mutant: MutantResult): string {
  return pathOf(mutant).split('/').slice(0, -1).join('/');
}

/** Describes a mutant in one line. Lines and columns start at 1. */
export function describe(mutant: MutantResult): string {
  const { status, mutatorName, replacement, statusReason = '' } = mutant;
  const { start, end } = mutant.location;
  const lines = readFileSync(mutant.fileName, 'utf8').split('\n');
  const first = lines[start.line - 1] ?? '';
  const original =
    start.line === end.line ? first.slice(start.column - 1, end.column - 1) : `${first.trim()} …`;
  const shorten = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, MAX_SHOWN);
  const change = `\`${shorten(original)}\` → \`${shorten(replacement)}\``;
  return `- ${pathOf(mutant)}:${start.line}:${start.column} ${status} ${mutatorName}: ${change} ${statusReason}`;
}

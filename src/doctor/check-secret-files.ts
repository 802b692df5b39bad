import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;

/** Files of secrets must not be readable by every user. */
export async function checkSecretFiles({ secretFiles }: Pick<Config, 'secretFiles'>): Promise<Finding[]> {
  const found = findingsOf('secrets');
  const findings: Finding[] = [];
  for (const { name, path } of secretFiles) {
    if (await canOthersRead(resolve(path)))
      findings.push(
        found.warning(`${name} (${path}) can be read by every user`, `run: chmod o= '${resolve(path)}'`),
      );
  }
  if (findings.length > 0 || secretFiles.length === 0) return findings;
  return [found.ok(`files of secrets: ${secretFiles.map(({ name }) => name).join(', ')}`)];
}

async function canOthersRead(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || (stats.mode & OTHERS_READ) === 0) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & OTHERS_ENTER) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

import { execFileSync } from 'node:child_process';
import packageJson from '../package.json' with { type: 'json' };

export interface Identity {
  version: string;
  /** With `-modified` if files differ from that commit. */
  commit: string;
}

/** Runs git in the clone of the sources, if they are one. */
function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Reads `package.json` and git. The commit is `unknown` outside a clone. */
export function readIdentity(): Identity {
  let commit = 'unknown';
  try {
    commit = git('rev-parse', '--short=12', 'HEAD');
    if (git('status', '--porcelain') !== '') commit += '-modified';
  } catch {
    // Such as a copy of the sources.
  }
  return { version: packageJson.version, commit };
}

/**
 * When the commit was made, in seconds since 1970: the date of all files in packages. The variable
 * `SOURCE_DATE_EPOCH` (reproducible-builds.org) replaces it. Outside a clone: the year 2000.
 */
export function readTime(): number {
  const stated = process.env.SOURCE_DATE_EPOCH;
  if (stated !== undefined) return Number(stated);
  try {
    return Number(git('log', '-1', '--format=%ct'));
  } catch {
    return Date.UTC(2000, 0) / 1000;
  }
}

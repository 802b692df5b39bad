import { execFileSync } from 'node:child_process';
import packageJson from '../package.json' with { type: 'json' };

export interface Identity {
  version: string;
  /** With `-modified` if files differ from that commit. */
  commit: string;
}

/** Reads `package.json` and git. The commit is `unknown` outside a clone. */
export function readIdentity(): Identity {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim();
  let commit = 'unknown';
  try {
    commit = git('rev-parse', '--short=12', 'HEAD');
    if (git('status', '--porcelain') !== '') commit += '-modified';
  } catch {
    // Such as a copy of the sources.
  }
  return { version: packageJson.version, commit };
}

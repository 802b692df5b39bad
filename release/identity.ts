import { execFileSync } from 'node:child_process';
import packageJson from '../package.json' with { type: 'json' };

/** What a release is. */
export interface Identity {
  version: string;
  /** The commit that it was built from; with `-modified` if files differ from that commit. */
  commit: string;
}

/** Reads the version from `package.json` and the commit from git. The commit is `unknown` outside a clone. */
export function readIdentity(): Identity {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim();
  let commit = 'unknown';
  try {
    commit = git('rev-parse', '--short=12', 'HEAD');
    if (git('status', '--porcelain') !== '') commit += '-modified';
  } catch {
    // Such as a copy of the sources without git.
  }
  return { version: packageJson.version, commit };
}

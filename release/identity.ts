import { execFileSync } from 'node:child_process';
import packageJson from '../package.json' with { type: 'json' };

/** What a release is. */
export interface Identity {
  version: string;
  /** The commit that it was built from; with `-modified` if files differ from that commit. */
  commit: string;
}

/** @throws {Error} outside a clone of the repository */
export function readIdentity(): Identity {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const isModified = git('status', '--porcelain') !== '';
  return {
    version: packageJson.version,
    commit: git('rev-parse', '--short=12', 'HEAD') + (isModified ? '-modified' : ''),
  };
}

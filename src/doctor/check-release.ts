import type { Config } from '../config.ts';
import type { Reader } from '../database/database.ts';
import { findNotice, newReleaseIn } from '../releases/release-notice.ts';
import { VERSION } from '../version.ts';
import { type Finding, findingsOf } from './finding.ts';

const found = findingsOf('version');
/** A feed that cannot be read for a day or two is nothing to act on. */
const MAX_FAILURES = 2;

/** Says whether a newer version is known. Makes no request: the service reads RELEASE_FEED once a day. */
export async function checkRelease(
  reader: Pick<Reader, 'first'>,
  config: Pick<Config, 'releaseFeed'>,
): Promise<Finding[]> {
  const notice = await findNotice(reader, config.releaseFeed);
  if (config.releaseFeed === null) return [];
  if (notice === undefined) return [found.ok(`${VERSION}; the service has not read RELEASE_FEED yet`)];
  return [describe(newReleaseIn(notice)), ...(await checkReleaseFeed(reader, config))];
}

/** Returns a warning if RELEASE_FEED could not be read for several days. */
export async function checkReleaseFeed(
  reader: Pick<Reader, 'first'>,
  { releaseFeed }: Pick<Config, 'releaseFeed'>,
): Promise<Finding[]> {
  const notice = await findNotice(reader, releaseFeed);
  if (notice === undefined || notice.failures <= MAX_FAILURES) return [];
  const message = `RELEASE_FEED could not be read the last ${notice.failures} times: ${notice.failure}`;
  return [found.warning(message, 'check the address, and that this machine can reach it')];
}

function describe(release: ReturnType<typeof newReleaseIn>): Finding {
  if (release === null) return found.ok(`${VERSION}, and no newer one is known`);
  const { version, isSecurity, url } = release;
  const guide = url ?? 'docs/how-to/upgrade.md';
  const message = `version ${version} is available`;
  if (!isSecurity) return found.ok(`${VERSION}; ${message}, and ${guide} says how to upgrade`);
  return found.warning(`${message} and fixes a vulnerability in ${VERSION}`, `upgrade: ${guide}`);
}

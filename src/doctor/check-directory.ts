import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { type Finding, findingsOf, reasonOf } from './finding.ts';

const GROUP_OR_OTHERS = 0o077;
const OTHERS = 0o007;
const MB = 1024 * 1024;
/** Below this, an import or the database's log may fill the disk at any moment. */
const SCARCE_BYTES = 100 * MB;
const LOW_BYTES = 1024 * MB;

/** The data directory and what is in it: who may read them, whose they are, and how much room is left. */
export async function checkDirectory(config: Config): Promise<Finding[]> {
  const { dataDirectory } = config;
  const found = findingsOf('files');
  if ((await stat(dataDirectory).catch(() => undefined)) === undefined) {
    return await checkMissingDirectory(dataDirectory);
  }
  try {
    await access(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const advice = "run this as the service's user, and give the directory to it";
    return [found.problem(`DATA_DIR (${dataDirectory}) cannot be used: ${reasonOf(error)}`, advice)];
  }
  return [...(await checkModes(config)), await checkDisk(dataDirectory)];
}

async function checkMissingDirectory(directory: string): Promise<Finding[]> {
  const found = findingsOf('files');
  let above = dirname(directory);
  while ((await stat(above).catch(() => undefined)) === undefined) above = dirname(above);
  try {
    await access(above, constants.W_OK);
    return [found.ok(`DATA_DIR (${directory}) is not there yet: the first start makes it`)];
  } catch {
    return [
      found.problem(
        `DATA_DIR (${directory}) is not there, and ${above} cannot be written to`,
        "make it, and give it to the service's user",
      ),
    ];
  }
}

async function checkModes({ dataDirectory, tls }: Config): Promise<Finding[]> {
  const found = findingsOf('files');
  const findings: Finding[] = [];
  const { uid } = await stat(dataDirectory);
  const own = process.getuid?.();
  if (own !== undefined && own !== 0 && own !== uid) {
    findings.push(
      found.warning(`DATA_DIR (${dataDirectory}) is another user's`, 'run the service as its owner'),
    );
  }
  const inside = await readdir(dataDirectory, { recursive: true });
  for (const path of [dataDirectory, ...inside.map((name) => join(dataDirectory, name))]) {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) continue;
    if (stats.uid !== uid) {
      findings.push(found.problem(`${path} is not its directory's owner's`, `chown it to user ${uid}`));
    }
    // A certificate is public, and a directory's mode keeps what is in it to its owner too.
    if ((stats.mode & GROUP_OR_OTHERS) === 0 || path.endsWith('tls-cert.pem')) continue;
    const [finding, advice] =
      (stats.mode & OTHERS) === 0
        ? [found.warning, `chmod g= '${path}'`]
        : [found.problem, `chmod go= '${path}'`];
    findings.push(finding(`${path} can be read by others than its owner`, advice));
  }
  const keyFile = tls.mode === 'own' ? tls.keyFile : null;
  const key = keyFile === null ? undefined : await stat(keyFile).catch(() => undefined);
  if (key !== undefined && (key.mode & OTHERS) !== 0) {
    findings.push(
      found.problem(`TLS_KEY_FILE (${keyFile}) can be read by every user`, `chmod o= '${keyFile}'`),
    );
  }
  return findings.length > 0 ? findings : [found.ok(`DATA_DIR (${dataDirectory}) is its owner's alone`)];
}

async function checkDisk(dataDirectory: string): Promise<Finding> {
  const found = findingsOf('disk');
  const { bavail, bsize } = await statfs(dataDirectory);
  const free = bavail * bsize;
  const databaseBytes = (await stat(join(dataDirectory, 'tradepost.db')).catch(() => undefined))?.size ?? 0;
  const message = `${Math.floor(free / MB)} MB free where DATA_DIR is`;
  if (free < SCARCE_BYTES) return found.problem(message, 'make room now: without it, writes are refused');
  if (free < LOW_BYTES) return found.warning(message, 'make room: imports and the log of writes need some');
  if (free < databaseBytes) {
    return found.warning(
      `${message}, and the database has ${Math.ceil(databaseBytes / MB)} MB`,
      'make room: a migration or a backup may need as much again',
    );
  }
  return found.ok(message);
}

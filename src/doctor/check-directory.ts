import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { sqliteFile } from '../database/open-database.ts';
import { type Finding, findingsOf, messageWithoutPeriod } from './finding.ts';

const GROUP_OR_OTHERS = 0o077;
const OTHERS = 0o007;
const MB = 1024 * 1024;
/** With less, an import or the database's log can fill the disk at any time. */
const CRITICAL_BYTES = 100 * MB;
const LOW_BYTES = 1024 * MB;

/** Checks permissions and owners of the data directory and its contents, and free disk space. */
export async function checkDirectory(config: Config): Promise<Finding[]> {
  const { dataDirectory } = config;
  const found = findingsOf('files');
  if ((await stat(dataDirectory).catch(() => undefined)) === undefined) {
    return await checkMissingDirectory(dataDirectory);
  }
  try {
    await access(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const advice = "run this as the service's user, and make that user the owner of the directory";
    return [
      found.problem(`DATA_DIR (${dataDirectory}) cannot be used: ${messageWithoutPeriod(error)}`, advice),
    ];
  }
  return [...(await checkModes(config)), await checkDisk(dataDirectory)];
}

async function checkMissingDirectory(directory: string): Promise<Finding[]> {
  const found = findingsOf('files');
  let parent = dirname(directory);
  while ((await stat(parent).catch(() => undefined)) === undefined) parent = dirname(parent);
  try {
    await access(parent, constants.W_OK);
    return [found.ok(`DATA_DIR (${directory}) does not exist yet; the first start creates it`)];
  } catch {
    return [
      found.problem(
        `DATA_DIR (${directory}) does not exist, and ${parent} is not writable`,
        "create it, and make the service's user its owner",
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
      found.warning(`DATA_DIR (${dataDirectory}) belongs to another user`, 'run the service as its owner'),
    );
  }
  const inside = await readdir(dataDirectory, { recursive: true });
  for (const path of [dataDirectory, ...inside.map((name) => join(dataDirectory, name))]) {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) continue;
    if (stats.uid !== uid) {
      findings.push(
        found.problem(`${path} does not belong to the owner of its directory`, `run: chown ${uid} '${path}'`),
      );
    }
    // Certificates are public. Files in a private directory are private.
    if ((stats.mode & GROUP_OR_OTHERS) === 0 || path.endsWith('tls-cert.pem')) continue;
    const [finding, advice] =
      (stats.mode & OTHERS) === 0
        ? [found.warning, `run: chmod g= '${path}'`]
        : [found.problem, `run: chmod go= '${path}'`];
    findings.push(finding(`${path} can be read by other users than its owner`, advice));
  }
  const keyFile = tls.mode === 'own' ? tls.keyFile : null;
  const key = keyFile === null ? undefined : await stat(keyFile).catch(() => undefined);
  if (key !== undefined && (key.mode & OTHERS) !== 0) {
    findings.push(
      found.problem(`TLS_KEY_FILE (${keyFile}) can be read by every user`, `run: chmod o= '${keyFile}'`),
    );
  }
  return findings.length > 0
    ? findings
    : [found.ok(`DATA_DIR (${dataDirectory}) is accessible to its owner only`)];
}

async function checkDisk(dataDirectory: string): Promise<Finding> {
  const found = findingsOf('disk');
  const { bavail, bsize } = await statfs(dataDirectory);
  const free = bavail * bsize;
  const databaseBytes = (await stat(sqliteFile(dataDirectory)).catch(() => undefined))?.size ?? 0;
  const message = `${Math.floor(free / MB)} MB free on the disk of DATA_DIR`;
  if (free < CRITICAL_BYTES) return found.problem(message, 'free up space now; without space, writes fail');
  if (free < LOW_BYTES)
    return found.warning(message, 'free up space; imports and the write-ahead log need it');
  if (free < databaseBytes) {
    return found.warning(
      `${message}, less than the ${Math.ceil(databaseBytes / MB)} MB of the database`,
      'free up space; a migration or a backup can need as much as the database',
    );
  }
  return found.ok(message);
}

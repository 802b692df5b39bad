import type { Stats } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import type { Reader } from '../database/database.ts';
import { KeyFileUnusable, readKeyFile } from '../encryption/key-file.ts';
import type { KeyFile } from '../encryption/key-lines.ts';
import { nextIds, removableIds } from '../encryption/rotate-keys.ts';
import { requireUsedKeys, type UsedKeys } from '../key-management/used-keys.ts';
import { formatTime } from '../shared/timestamps.ts';
import { type Finding, findingsOf, messageWithoutPeriod } from './finding.ts';

const found = findingsOf('encryption');

/** The key file must have the keys of the encrypted values. Does not create it. */
export async function checkEncryption(
  reader: Pick<Reader, 'all'>,
  { encryptionKeyFile: file }: Pick<Config, 'encryptionKeyFile'>,
): Promise<Finding[]> {
  let used: UsedKeys;
  try {
    used = await requireUsedKeys(reader, file);
  } catch (error) {
    if (!(error instanceof KeyFileUnusable)) throw error;
    return [found.problem(messageWithoutPeriod(error), 'until then, the service does not start')];
  }
  const { stats, ...content } = await readKeyFile(file);
  if (stats === undefined) return [found.ok('the first webhook or order creates the key file')];
  return [
    found.ok(`${file} has the keys of all encrypted values`),
    found.ok(
      `the file was last changed at ${formatTime(stats.mtimeMs)}; replace copies of it that are older`,
    ),
    ...checkRotation(content, used),
    ...(await checkMonths(content, file, stats)),
  ];
}

function checkRotation(content: KeyFile, { secrets, monthly }: UsedKeys): Finding[] {
  const findings: Finding[] = [];
  const [next, removable] = [nextIds(content), removableIds(content, secrets)];
  // If the database uses one, another machine has finished the rotation.
  const isUsed = [...secrets, ...monthly].some((used) => next.some((id) => used.endsWith(id)));
  if (next.length > 0 && !isUsed) {
    const message = `a rotation has begun: the file has the new keys ${next.join(', ')}`;
    const advice = 'copy the file to every machine, and run "tradepost encryption rotate --finish"';
    findings.push(found.warning(message, advice));
  }
  if (removable.length > 0) {
    const message = `no value is encrypted with ${removable.join(', ')}; if you keep no older backups, "tradepost encryption remove-unused" removes these keys`;
    findings.push(found.ok(message));
  }
  return findings;
}

async function checkMonths({ monthly }: KeyFile, file: string, { uid }: Stats): Promise<Finding[]> {
  const [oldest] = monthly.map(({ month }) => month).sort();
  if (oldest === undefined) return [];
  const age = found.ok(`the customer data of ${oldest} and later months can be decrypted, and no older data`);
  if (await canReplace(file, uid)) return [age];
  const message = `this user cannot replace ${file}, so the keys of months cannot be destroyed`;
  return [
    age,
    found.warning(message, "make the service's user the owner of the file, and let it write to the folder"),
  ];
}

/** A new file needs a folder to write to, and the same owner. */
async function canReplace(file: string, owner: number): Promise<boolean> {
  const user = process.getuid?.();
  if (user !== 0 && user !== owner) return false;
  return await access(dirname(file), constants.W_OK).then(
    () => true,
    () => false,
  );
}

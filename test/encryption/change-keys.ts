import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { changeKeyFile, readKeyFile } from '../../src/encryption/key-file.ts';
import { newEncryptionKey } from '../../src/encryption/key-lines.ts';
import { MonthlyKeys } from '../../src/encryption/monthly-keys.ts';
import { addNextKeys, startNextKeys } from '../../src/encryption/rotate-keys.ts';

/** A process that changes or reads a key file many times: `node change-keys.ts FILE TASK`. */
const [, , file = '', task = ''] = process.argv;
const keys = new MonthlyKeys({ file, onCreated: () => {} });
const months = Array.from({ length: 24 }, (_, index) => new Date(Date.UTC(2026, 1 + index)).toISOString());

const tasks: Record<string, () => Promise<unknown>> = {
  /** Prints the IDs of the added keys. */
  add: async () => {
    const ids: string[] = [];
    for (let count = 0; count < 25; count += 1) {
      const key = newEncryptionKey();
      await changeKeyFile(file, (content) => ({ ...content, keys: [...content.keys, key] }));
      ids.push(key.id);
    }
    return ids;
  },
  rotate: async () => {
    for (let count = 0; count < 10; count += 1) {
      await addNextKeys(file, '2026-01');
      await startNextKeys(file);
    }
  },
  create: async () =>
    (await keys.encryptorAt(Date.UTC(2026, 0, 15), { lock: async () => {}, findUsed: async () => [] }))
      .keyName,
  destroy: async () => {
    const { monthly } = await readKeyFile(file);
    for (const month of months)
      await keys.destroyUnused(
        { used: monthly.map(({ id }) => `${month.slice(0, 7)}:${id}`), former: [] },
        Date.UTC(2030, 0),
      );
  },
  /** Fails if it ever reads a part of a content, or an older content than before. */
  read: async () => {
    let [count, month] = [0, ''];
    for (let round = 0; round < 2_000; round += 1) {
      const content = await readKeyFile(file);
      const first = content.monthly[0]?.month ?? '';
      if (content.keys.length < count || first < month) throw new Error('an older content');
      [count, month] = [content.keys.length, first];
    }
  },
  /** Dies between writing the new content and its rename. */
  die: async () => {
    fsPromises.rename = async () => process.kill(process.pid, 'SIGKILL') as unknown as undefined;
    syncBuiltinESMExports();
    await startNextKeys(file);
  },
};

process.stdout.write(JSON.stringify((await tasks[task]?.()) ?? null));

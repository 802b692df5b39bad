import assert from 'node:assert/strict';
import { createDecipheriv, createHmac } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { KeyUse } from '../../src/encryption/ensure-keys.ts';
import { KeyFileUnusable, readKeyFile, UndecryptableValue } from '../../src/encryption/key-file.ts';
import { MonthlyKeys } from '../../src/encryption/monthly-keys.ts';
import { addNextKeys, startNextKeys } from '../../src/encryption/rotate-keys.ts';
import { type Owner, temporaryDirectory } from '../support/process.ts';
import { fc } from '../support/seed.ts';
import { until } from '../support/until.ts';

const ROW = 'customer of order 7 of 12';
const NOVEMBER = Date.UTC(2026, 10, 15);
/** A database without values of monthly keys. */
const EMPTY: KeyUse = { lock: async () => {}, findUsed: async () => [] };

interface Stored {
  keyName: string;
  bytes: Buffer;
}

async function newKeys(t: Owner) {
  const file = join(await temporaryDirectory(t), 'encryption.keys');
  const lines: string[] = [];
  const onCreated = (line: string): number => lines.push(line);
  /** As in another process, but without waiting until it looks at the file again. */
  const open = (): MonthlyKeys => new MonthlyKeys({ file, onCreated, pollMs: 0 });
  return { file, lines, open, keys: open() };
}

/** `month` counts from January 2026. */
const inMonth = (month: number, day = 15): number => Date.UTC(2026, month - 1, day);

async function encryptAt(keys: MonthlyKeys, now: number, text = 'Ada', row = ROW): Promise<Stored> {
  const { keyName, encrypt } = await keys.encryptorAt(now, EMPTY);
  return { keyName, bytes: encrypt(text, row) };
}

async function decrypt(keys: MonthlyKeys, value: Stored, row = ROW): Promise<string | undefined> {
  return (await keys.decryptorOf([value.keyName]))(value, row);
}

const monthsOf = async (file: string): Promise<string[]> =>
  (await readKeyFile(file)).monthly.map(({ month }) => month);

/** The first 32 bytes of HKDF-SHA-256 (RFC 5869) without salt, by its definition. */
function hkdf(secret: Buffer, purpose: string): Buffer {
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
  return createHmac('sha256', extracted).update(purpose).update(Buffer.of(1)).digest();
}

describe('monthly keys', () => {
  it('are derived from the secret of the file by HKDF, and encrypt with AES-256-GCM', async (t) => {
    const { file, keys } = await newKeys(t);
    const secret = Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex');
    await writeFile(file, `monthly 2026-11 1a2b3c4d ${secret.toString('base64url')}\n`, { mode: 0o600 });
    let ofMonth: Buffer = secret;
    for (const [month, time] of [
      ['2026-11', inMonth(11)],
      ['2026-12', inMonth(12)],
      ['2027-01', inMonth(13)],
    ] as const) {
      const { keyName, bytes } = await encryptAt(keys, time, 'Ada Miller');
      assert.equal(keyName, `${month}:1a2b3c4d`);
      const key = hkdf(ofMonth, 'tradepost: customer data');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(ROW)).setAuthTag(bytes.subarray(-16));
      assert.equal(decipher.update(bytes.subarray(12, -16), undefined, 'utf8'), 'Ada Miller');
      decipher.final();
      ofMonth = hkdf(ofMonth, 'tradepost: next month');
    }
    assert.equal(ofMonth.toString('hex'), '3496110194c46677510440c3c51b620a39ff6abbdb5ab8d9db79f71e9117704e');
  });

  it('decrypt what they encrypted, in any order of months, also in other processes and after years', async (t) => {
    const { keys, open } = await newKeys(t);
    await encryptAt(keys, inMonth(1));
    const anyValue = fc.record({
      month: fc.nat(2_000),
      text: fc.string({ unit: 'grapheme' }),
      row: fc.string(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyValue, { maxLength: 8 }), async (values) => {
        const stored: Stored[] = [];
        for (const { month, text, row } of values)
          stored.push(await encryptAt(keys, inMonth(1 + month), text, row));
        for (const reader of [keys, open()]) {
          const read = await reader.decryptorOf(stored.map(({ keyName }) => keyName));
          for (const [index, value] of stored.entries())
            assert.equal(read(value, values[index]?.row ?? ''), values[index]?.text);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are of the month in UTC', async (t) => {
    const { keys } = await newKeys(t);
    const nameAt = async (time: number): Promise<string> =>
      (await keys.encryptorAt(time, EMPTY)).keyName.slice(0, 7);
    await keys.encryptorAt(inMonth(10), EMPTY);
    assert.equal(await nameAt(Date.UTC(2026, 11) - 1), '2026-11');
    assert.equal(await nameAt(Date.UTC(2026, 11)), '2026-12');
  });

  it('refuse a value that was changed, is in another row, or has the name of another month', async (t) => {
    const { keys, file } = await newKeys(t);
    const value = await encryptAt(keys, NOVEMBER);
    const { keyName, bytes } = value;
    const refused = (stored: Stored, row = ROW): Promise<void> =>
      assert.rejects(decrypt(keys, stored, row), (error) => {
        assert.ok(error instanceof UndecryptableValue, String(error));
        assert.match(error.message, /^The encrypted value of .* was changed, or belongs to another row, or /);
        assert.ok(error.message.includes(file));
        return true;
      });
    for (let index = 0; index < bytes.length; index += 1)
      await refused({
        keyName,
        bytes: Buffer.from(bytes.map((byte, at) => (at === index ? byte ^ 1 : byte))),
      });
    for (let length = 0; length < bytes.length; length += 1)
      await refused({ keyName, bytes: bytes.subarray(0, length) });
    await refused(value, 'customer of order 8 of 12');
    const id = keyName.slice(8);
    for (const name of [`2026-12:${id}`, `9999-12:${id}`, `2026-13:${id}`, `2026-11${id}`, id, '', 'other'])
      await refused({ keyName: name, bytes });
    assert.equal(await decrypt(keys, value), 'Ada');
  });

  it('need the file, with the secret that the name states, for its owner only', async (t) => {
    const { keys, file, open } = await newKeys(t);
    const value = await encryptAt(keys, NOVEMBER);
    const unusable = (message: RegExp, keyName = value.keyName): Promise<void> =>
      assert.rejects(decrypt(open(), { ...value, keyName }), { name: 'KeyFileUnusable', message });
    await unusable(
      /does not have the monthly key 0000000a, which encrypts values of the database/,
      '2026-11:0000000a',
    );
    await assert.rejects(keys.requireKeys([value.keyName, '2026-11:0000000a']), KeyFileUnusable);
    await open().requireKeys([value.keyName]);
    await chmod(file, 0o644);
    await unusable(/is accessible to every user/);
    await copyFile(file, `${file}.kept`);
    await rm(file);
    await unusable(
      /does not exist, but the monthly key [0-9a-f]{8} encrypts values of the database\. Copy the file/,
    );
    await writeFile(file, 'other', { mode: 0o600 });
    await unusable(/has an invalid line 1/);
    assert.equal(await decrypt(keys, value), 'Ada', 'what read the file before does not need it');
  });

  it('more than 200 years away are refused: the clock is wrong', async (t) => {
    const { keys } = await newKeys(t);
    await encryptAt(keys, NOVEMBER);
    await assert.rejects(encryptAt(keys, inMonth(11 + 2_401)), /is more than 2400 months after 2026-11/);
    await encryptAt(keys, inMonth(11 + 2_400));
  });
});

describe('words hashed with monthly keys', () => {
  const hashesOf = async (
    keys: MonthlyKeys,
    now: number,
    word: string,
    owner = 'shop 1',
  ): Promise<string[]> => (await keys.wordHashersUntil(now)).map((hash) => hash(word, owner));

  it('are the beginnings of HMAC-SHA-256 with a key that is derived by HKDF', async (t) => {
    const { file, keys } = await newKeys(t);
    const secret = Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex');
    await writeFile(file, `monthly 2026-11 1a2b3c4d ${secret.toString('base64url')}\n`, { mode: 0o600 });
    const key = hkdf(secret, 'tradepost: words of customers');
    const expected = createHmac('sha256', key).update('shop 1\0ada').digest('base64url').slice(0, 22);
    const { hashWord } = await keys.encryptorAt(inMonth(11));
    assert.equal(hashWord('ada', 'shop 1'), expected);
    assert.deepEqual(await hashesOf(keys, inMonth(11), 'ada'), [expected]);
  });

  it('differ by month and by owner, and are those of every month that is not destroyed, newest first', async (t) => {
    const { keys } = await newKeys(t);
    const early = await encryptAt(keys, inMonth(9));
    const written: string[] = [];
    for (const month of [9, 10, 11])
      written.unshift((await keys.encryptorAt(inMonth(month))).hashWord('ada', 'shop 1'));
    assert.equal(new Set(written).size, 3);
    assert.deepEqual(await hashesOf(keys, inMonth(11), 'ada'), written);
    const ofOther = await hashesOf(keys, inMonth(11), 'ada', 'shop 2');
    assert.ok(ofOther.every((hash) => !written.includes(hash)));
    const late = await encryptAt(keys, inMonth(10));
    await keys.destroyUnused({ used: [late.keyName], former: [early.keyName] }, inMonth(12));
    assert.deepEqual((await hashesOf(keys, inMonth(11), 'ada')).slice(0, 3), written.slice(0, 2));
  });

  it('are found with the old secret and the next one during a rotation, and are none without a file', async (t) => {
    const { file, keys, open } = await newKeys(t);
    assert.deepEqual(await hashesOf(keys, inMonth(11), 'ada'), []);
    await encryptAt(keys, inMonth(11));
    const before = await hashesOf(keys, inMonth(11), 'ada');
    await addNextKeys(file, '2026-11');
    const during = await hashesOf(open(), inMonth(11), 'ada');
    assert.equal(during.length, 2);
    assert.ok(before.every((hash) => during.includes(hash)));
  });
});

describe('a key file that replaces another one', () => {
  const replace = async (file: string, content: string): Promise<void> => {
    await writeFile(`${file}.other`, content, { mode: 0o600 });
    await rename(`${file}.other`, file);
  };
  const otherContent = async (t: Owner): Promise<string> => {
    const { file, keys } = await newKeys(t);
    await encryptAt(keys, NOVEMBER);
    return await readFile(file, 'utf8');
  };

  it('encrypts nothing if it lacks a secret of the database, and again once that is back', async (t) => {
    const { file, keys } = await newKeys(t);
    const { keyName } = await encryptAt(keys, NOVEMBER);
    assert.equal(await keys.isReadyAt(NOVEMBER), false, 'not checked yet');
    await keys.requireKeys([keyName]);
    assert.equal(await keys.isReadyAt(NOVEMBER), true);
    const content = await readFile(file, 'utf8');
    await replace(file, await otherContent(t));
    assert.equal(await keys.isReadyAt(NOVEMBER), false);
    const missing = new RegExp(`does not have the monthly key ${keyName.slice(8)}`);
    await assert.rejects(keys.encryptorAt(NOVEMBER), { name: 'KeyFileUnusable', message: missing });
    await assert.rejects(keys.requireKeys([keyName]), { name: 'KeyFileUnusable', message: missing });
    await replace(file, content);
    assert.equal(await keys.isReadyAt(NOVEMBER), true);
    assert.equal((await keys.encryptorAt(NOVEMBER)).keyName, keyName);
  });

  it('encrypts nothing if it has another secret under the same ID', async (t) => {
    const { file, keys } = await newKeys(t);
    const { keyName } = await encryptAt(keys, NOVEMBER);
    await keys.requireKeys([keyName]);
    const content = await readFile(file, 'utf8');
    await replace(file, content.slice(0, 25) + (await otherContent(t)).slice(25));
    assert.equal(await keys.isReadyAt(NOVEMBER), false);
    const changed = {
      name: 'KeyFileUnusable',
      message: /was replaced, and has another secret as monthly key/,
    };
    await assert.rejects(keys.encryptorAt(NOVEMBER), changed);
    await assert.rejects(keys.requireKeys([keyName]), changed);
    await replace(file, content);
    assert.equal(await keys.isReadyAt(NOVEMBER), true);
  });

  it('encrypts at once if it is a later or an earlier copy with the same secrets', async (t) => {
    const { file, keys, open } = await newKeys(t);
    const value = await encryptAt(keys, inMonth(9));
    await keys.requireKeys([value.keyName]);
    const earlier = await readFile(file, 'utf8');
    await addNextKeys(file, '2026-11');
    await open().destroyUnused({ used: [], former: [value.keyName] }, NOVEMBER);
    assert.equal(await decrypt(keys, value), undefined);
    assert.equal(await keys.isReadyAt(NOVEMBER), true);
    await replace(file, earlier);
    assert.equal(await decrypt(keys, value), 'Ada');
    assert.equal(await keys.isReadyAt(NOVEMBER), true);
  });
});

it('the data of a monthly key that is lost counts as erased, once the operator has written so in the file', async (t) => {
  const { keys, file, open } = await newKeys(t);
  const value = await encryptAt(keys, NOVEMBER);
  const id = value.keyName.slice(8);
  await writeFile(file, `monthly destroyed ${id}\n`, { mode: 0o600 });
  await open().requireKeys([value.keyName]);
  assert.equal(await decrypt(open(), value), undefined);
  const use: KeyUse = { lock: async () => {}, findUsed: async () => [value.keyName] };
  const { keyName } = await open().encryptorAt(NOVEMBER, use);
  assert.notEqual(keyName, value.keyName);
  assert.match(await readFile(file, 'utf8'), /^monthly 2026-11 .*\nmonthly destroyed [0-9a-f]{8}\n$/);
});

describe('the first monthly key', () => {
  it('is created with the file, or added to it, once, with a line for the operator', async (t) => {
    const { keys, file, lines, open } = await newKeys(t);
    await encryptAt(keys, NOVEMBER);
    await encryptAt(open(), NOVEMBER);
    assert.match(await readFile(file, 'utf8'), /^monthly 2026-11 [0-9a-f]{8} [\w-]{43}\n$/);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^Created the key file .*encryption\.keys\. Backups .* do not contain it/);
    await writeFile(file, `0000000a ${Buffer.alloc(32).toString('base64url')}\n`);
    await encryptAt(open(), NOVEMBER);
    assert.match(
      await readFile(file, 'utf8'),
      /^0000000a [\w-]{43}\nmonthly 2026-11 [0-9a-f]{8} [\w-]{43}\n$/,
    );
    assert.match(lines[1] ?? '', /^Added a key to the key file .* replace your copy/);
  });

  it('is not created if the database has values of a key that another node has, found under a lock', async (t) => {
    const { keys, file } = await newKeys(t);
    const calls: string[] = [];
    const use: KeyUse = {
      lock: async () => void calls.push('lock'),
      findUsed: async () => {
        calls.push('find');
        return calls.length > 1 ? ['2026-11:0000000a'] : [];
      },
    };
    await assert.rejects(
      keys.encryptorAt(NOVEMBER, use),
      /does not exist, but the monthly key 0000000a encrypts/,
    );
    assert.deepEqual(calls, ['find', 'lock', 'find']);
    assert.equal((await readKeyFile(file)).stats, undefined);
  });
});

describe('destroyed months', () => {
  it('cannot be decrypted, from an earlier backup of the database either, and later months can', async (t) => {
    const { keys, file, open } = await newKeys(t);
    const values: Stored[] = [];
    for (let month = 9; month <= 12; month += 1)
      values.push(await encryptAt(keys, inMonth(month), `${month}`));
    const [september, , november, december] = values;
    assert.ok(september && november && december);
    const before = await readFile(file, 'utf8');
    await keys.destroyUnused({ used: [november.keyName, december.keyName], former: [] }, inMonth(13));
    for (const reader of [keys, open()]) {
      const read = await reader.decryptorOf(values.map(({ keyName }) => keyName));
      assert.deepEqual(
        values.map((value) => read(value, ROW)),
        [undefined, undefined, '11', '12'],
      );
    }
    const after = await readFile(file, 'utf8');
    assert.match(after, /^monthly 2026-11 [0-9a-f]{8} [\w-]{43}\n$/);
    assert.equal(after.slice(16, 24), before.slice(16, 24), 'the same ID');
    assert.notEqual(after.slice(25), before.slice(25));
    // Whoever kept the file from before can still decrypt everything, which the guide says.
    await writeFile(file, before);
    assert.equal(await decrypt(open(), september), '9');
  });

  it('are those before the oldest that the database uses, however late it is', async (t) => {
    const { keys, file } = await newKeys(t);
    const { keyName } = await encryptAt(keys, inMonth(9));
    const october = `2026-10${keyName.slice(7)}`;
    await keys.destroyUnused({ used: [keyName, october], former: [] }, inMonth(500));
    assert.deepEqual(await monthsOf(file), ['2026-09']);
    await keys.destroyUnused({ used: [october], former: [keyName] }, inMonth(500));
    assert.deepEqual(await monthsOf(file), ['2026-10']);
    await keys.destroyUnused({ used: [october], former: [] }, inMonth(500));
    assert.deepEqual(await monthsOf(file), ['2026-10']);
  });

  it('are not kept by values of an older backup, whose keys were destroyed', async (t) => {
    const { keys, file } = await newKeys(t);
    const { keyName } = await encryptAt(keys, inMonth(9));
    const month = (number: number): string => `2026-${number}${keyName.slice(7)}`;
    await keys.destroyUnused({ used: [month(10)], former: [] }, inMonth(10));
    await keys.destroyUnused({ used: [keyName, month(12)], former: [] }, inMonth(500));
    assert.deepEqual(await monthsOf(file), ['2026-12']);
    await keys.destroyUnused({ used: [keyName], former: [] }, inMonth(500));
    assert.deepEqual(await monthsOf(file), ['2026-12']);
  });

  it('are never the present one, nor the last one on the first day of a month', async (t) => {
    const { keys, file } = await newKeys(t);
    const { keyName } = await encryptAt(keys, inMonth(9));
    const destroy = (now: number): Promise<void> =>
      keys.destroyUnused({ used: [`2027-12${keyName.slice(7)}`], former: [keyName] }, now);
    await destroy(inMonth(10, 1) + 1_000);
    assert.deepEqual(await monthsOf(file), ['2026-09']);
    await destroy(inMonth(10, 2));
    assert.deepEqual(await monthsOf(file), ['2026-10']);
    await keys.destroyUnused({ used: [], former: [keyName] }, inMonth(11, 30));
    assert.deepEqual(await monthsOf(file), ['2026-11']);
  });

  it('are none if the database never had a value, because the file may belong to another database', async (t) => {
    const { keys, file } = await newKeys(t);
    const value = await encryptAt(keys, inMonth(9));
    await keys.destroyUnused({ used: [], former: [] }, inMonth(100));
    await assert.rejects(
      keys.destroyUnused({ used: ['2026-12:0000000a'], former: [] }, inMonth(100)),
      /does not have the monthly key 0000000a/,
    );
    assert.equal(await decrypt(keys, value), 'Ada');
    await rm(file);
    await keys.destroyUnused({ used: [], former: [] }, inMonth(100));
    await assert.rejects(
      keys.destroyUnused({ used: [value.keyName], former: [] }, inMonth(100)),
      KeyFileUnusable,
    );
    assert.equal((await readKeyFile(file)).stats, undefined);
  });

  it('stay destroyed while the clock is early: new values get the oldest month that has a key', async (t) => {
    const { keys, file } = await newKeys(t);
    const { keyName } = await encryptAt(keys, inMonth(9));
    await keys.destroyUnused({ used: [], former: [keyName] }, inMonth(12));
    const content = await readFile(file, 'utf8');
    const value = await encryptAt(keys, inMonth(1), 'early');
    assert.equal(value.keyName.slice(0, 7), '2026-12');
    assert.equal(await decrypt(keys, value), 'early');
    await keys.destroyUnused({ used: [value.keyName], former: [] }, inMonth(1));
    await keys.destroyUnused({ used: [], former: [keyName] }, inMonth(-100));
    assert.equal(await readFile(file, 'utf8'), content);
  });

  it('are not changed by a clock that is centuries early or late', async (t) => {
    const { keys, file } = await newKeys(t);
    const { keyName } = await encryptAt(keys, inMonth(9));
    await assert.rejects(
      keys.destroyUnused({ used: [], former: [keyName] }, inMonth(9 + 2_500)),
      /Check the clock/,
    );
    assert.deepEqual(await monthsOf(file), ['2026-09']);
  });

  it('are soon forgotten by every process of the machine, and a process continues while the file is unusable', async (t) => {
    const { keys, file } = await newKeys(t);
    const [september, december] = [await encryptAt(keys, inMonth(9)), await encryptAt(keys, inMonth(12))];
    // Looks at the file as often as in production.
    const other = new MonthlyKeys({ file, onCreated: () => {} });
    assert.equal(await decrypt(other, september), 'Ada');
    await keys.destroyUnused({ used: [december.keyName], former: [] }, inMonth(13));
    assert.equal(await decrypt(keys, september), undefined);
    await until(async () => (await decrypt(other, september)) === undefined);
    const content = await readFile(file, 'utf8');
    await writeFile(file, content.slice(0, 30));
    assert.equal(await decrypt(keys, december), 'Ada');
    await rm(file);
    assert.equal(await decrypt(keys, december), 'Ada');
  });

  it('a file that cannot be changed is reported, and stays', async (t) => {
    const { keys, file, open } = await newKeys(t);
    const { keyName } = await encryptAt(keys, inMonth(9));
    await rm(`${file}.lock`);
    await mkdir(`${file}.lock`);
    await assert.rejects(open().destroyUnused({ used: [], former: [keyName] }, inMonth(12)), {
      name: 'KeyFileUnusable',
      message: /cannot be changed: /,
    });
    assert.deepEqual(await monthsOf(file), ['2026-09']);
  });
});

describe('a rotation of monthly keys', () => {
  const rotate = async (file: string, month: string): Promise<string> => {
    const [id = ''] = await addNextKeys(file, month);
    return id;
  };

  it('encrypts with the new secret only once it has started, and decrypts with both', async (t) => {
    const { keys, file, open } = await newKeys(t);
    const former = await encryptAt(keys, inMonth(9));
    const id = await rotate(file, '2026-11');
    const between = await encryptAt(open(), NOVEMBER);
    assert.equal(between.keyName.slice(8), former.keyName.slice(8));
    assert.deepEqual(await addNextKeys(file, '2026-12'), [id], 'only one is next');
    assert.deepEqual(await startNextKeys(file), [id]);
    assert.deepEqual(await startNextKeys(file), []);
    const later = await encryptAt(open(), NOVEMBER, 'later');
    assert.equal(later.keyName, `2026-11:${id}`);
    assert.equal(await decrypt(keys, later), 'later', 'an unknown ID reads the file again');
    for (const value of [former, between]) assert.equal(await decrypt(open(), value), 'Ada');
  });

  it('on another node: its file needs no second copy once the database uses the new secret', async (t) => {
    const { keys, file, open } = await newKeys(t);
    const former = await encryptAt(keys, inMonth(9));
    const id = await rotate(file, '2026-11');
    const other = await newKeys(t);
    await copyFile(file, other.file);
    await startNextKeys(file);
    const later = await encryptAt(open(), NOVEMBER, 'later');
    assert.equal(await decrypt(other.keys, later), 'later');
    assert.equal((await encryptAt(other.open(), NOVEMBER)).keyName.slice(8), former.keyName.slice(8));
    await other.keys.destroyUnused({ used: [former.keyName, later.keyName], former: [] }, NOVEMBER);
    assert.equal((await encryptAt(other.open(), NOVEMBER)).keyName.slice(8), id);
  });

  it('destroys the old secret once the month of the rotation is over and the database does not use it', async (t) => {
    const { keys, file, open } = await newKeys(t);
    const former = await encryptAt(keys, inMonth(9));
    const id = await rotate(file, '2026-11');
    await startNextKeys(file);
    const idsAfter = async (used: string[], now: number): Promise<string[]> => {
      await open().destroyUnused({ used, former: [former.keyName] }, now);
      return (await readKeyFile(file)).monthly.map((each) => each.id);
    };
    const oldId = former.keyName.slice(8);
    assert.deepEqual(await idsAfter([`2026-11:${id}`], inMonth(11, 30)), [oldId, id], 'too early');
    assert.deepEqual(await idsAfter([`2026-11:${oldId}`, `2026-12:${id}`], inMonth(12)), [oldId, id], 'used');
    assert.deepEqual(await idsAfter([], inMonth(12)), [oldId, id], 'the new one is not used yet');
    assert.deepEqual(await idsAfter([`2027-01:${id}`], inMonth(13)), [id]);
    assert.deepEqual((await readKeyFile(file)).destroyed, [oldId]);
    await open().requireKeys([former.keyName, `2026-11:${id}`]);
    assert.equal(await decrypt(open(), former), undefined, 'a restored backup has data without a key');
  });
});

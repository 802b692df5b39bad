import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { type Config, parseConfig } from '../../src/config.ts';
import { checkSecretFiles } from '../../src/doctor/check-secret-files.ts';
import { checkSettings } from '../../src/doctor/check-settings.ts';
import { SettingError } from '../../src/shared/setting-error.ts';
import { secretSettings } from '../../src/shared/text-settings.ts';
import { temporaryDirectory } from '../support/process.ts';

const CANARY = 'canary7f3a';

/** A valid value of each secret, and the other settings that it needs. */
const SECRETS: Readonly<Record<string, { value: string; rest?: Record<string, string> }>> = {
  DATABASE_URL: { value: `postgres://user:${CANARY}@db.example/shop` },
  SMTP_URL: { value: `smtp://user:${CANARY}@mail.example`, rest: { MAIL_FROM: 'shop@shop.example' } },
  OIDC_CLIENT_SECRET: {
    value: CANARY,
    rest: { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'shop' },
  },
  MERCHANT_OIDC_CLIENT_SECRET: {
    value: CANARY,
    rest: { MERCHANT_OIDC_ISSUER: 'https://login.example', MERCHANT_OIDC_CLIENT_ID: 'shop' },
  },
  BACKUP_KEY: { value: `${CANARY}-with-enough-characters`, rest: { BACKUP_TO: '/var/backups' } },
  BACKUP_S3_SECRET_ACCESS_KEY: {
    value: CANARY,
    rest: { BACKUP_TO: 's3://backups', BACKUP_S3_ACCESS_KEY_ID: 'shop' },
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: { value: `https://traces.example/?key=${CANARY}` },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { value: `https://traces.example/?key=${CANARY}` },
};

async function write(t: TestContext, content: string | Buffer): Promise<string> {
  const file = join(await temporaryDirectory(t), 'secret');
  await writeFile(file, content, { mode: 0o600 });
  return file;
}

const withoutSettings = ({ settings, secretFiles, ...config }: Config): Partial<Config> => config;

/** Returns the message, which has no part of a secret. */
function messageOf(environment: Record<string, string>): string {
  let message = '';
  assert.throws(
    () => parseConfig(environment),
    (error) => {
      assert.ok(error instanceof SettingError);
      message = error.message;
      return true;
    },
  );
  assert.ok(!message.includes(CANARY), message);
  return message;
}

it('the settings that can be in files are all that have a secret', () => {
  assert.deepEqual(Object.keys(SECRETS).sort(), [...secretSettings].sort());
  const { settings } = parseConfig({});
  const names = settings.map(({ name }) => name);
  assert.deepEqual(
    secretSettings.filter((name) => !names.includes(name)),
    [],
  );
  const harmless = ['PUBLIC_URL', 'SUPPORT_URL', 'BACKUP_S3_ENDPOINT'];
  const suspicious = names.filter((name) => /SECRET|PASSWORD|TOKEN|_KEY$|_URL$|ENDPOINT$/.test(name));
  assert.deepEqual(suspicious.filter((name) => !harmless.includes(name)).sort(), [...secretSettings].sort());
});

for (const [name, { value, rest = {} }] of Object.entries(SECRETS)) {
  it(`${name} is the same from the environment, a file or a credential, and never shown`, async (t) => {
    const stated = parseConfig({ ...rest, [name]: value });
    for (const content of [value, `${value}\n`, `${value}\r\n`, `  ${value}\n\n`, `\ufeff${value}\n`]) {
      const path = await write(t, content);
      const config = parseConfig({ ...rest, [`${name}_FILE`]: path });
      assert.deepEqual(withoutSettings(config), withoutSettings(stated));
      assert.deepEqual(config.secretFiles, [{ name: `${name}_FILE`, path }]);
      const shown = config.settings.find((setting) => setting.name === name);
      assert.equal(shown?.source, 'file');
      assert.ok(!JSON.stringify(config.settings).includes(CANARY));
    }
    const directory = await temporaryDirectory(t);
    await writeFile(join(directory, name), value, { mode: 0o400 });
    const config = parseConfig({ ...rest, CREDENTIALS_DIRECTORY: directory });
    assert.deepEqual(withoutSettings(config), withoutSettings(stated));
    assert.equal(config.settings.find((setting) => setting.name === name)?.source, 'file');
  });
}

it('a secret that is stated twice is refused', async (t) => {
  const file = await write(t, `postgres://u:${CANARY}@one.example/a`);
  const DATABASE_URL = `postgres://u:${CANARY}@two.example/b`;
  assert.equal(
    messageOf({ DATABASE_URL, DATABASE_URL_FILE: file }),
    'DATABASE_URL is stated more than once: as DATABASE_URL and in the file of DATABASE_URL_FILE. Keep only one of them.',
  );
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'DATABASE_URL'), DATABASE_URL);
  const all = messageOf({ DATABASE_URL, DATABASE_URL_FILE: file, CREDENTIALS_DIRECTORY: directory });
  assert.match(all, /as DATABASE_URL, in the file of DATABASE_URL_FILE and as the systemd credential \//);
  // A blank setting is not stated.
  assert.ok(parseConfig({ DATABASE_URL: ' ', DATABASE_URL_FILE: file }).postgres !== null);
  assert.equal(parseConfig({ DATABASE_URL_FILE: ' ' }).postgres, null);
});

it('a file that has no secret is refused with its setting and its path, without its content', async (t) => {
  const directory = await temporaryDirectory(t);
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const loop = join(directory, 'loop');
  await symlink(loop, loop);
  const cases: [path: string, reason: RegExp][] = [
    [join(directory, 'none'), /cannot be read: ENOENT/],
    [loop, /cannot be read: ELOOP/],
    [directory, /is a directory/],
    [pipe, /is not a regular file/],
    [await write(t, ''), /is empty/],
    [await write(t, ' \n\n'), /is empty/],
    [await write(t, `${CANARY}\n`.repeat(64 * 1024)), /is larger than 64 KiB/],
    [await write(t, `${CANARY}\n${CANARY}\n`), /has more than one line/],
    [await write(t, Buffer.from(`${CANARY}\0`)), /has more than one line|is not text/],
    [await write(t, Buffer.concat([Buffer.from(CANARY), Buffer.from([0xff, 0xfe])])), /is not text in UTF-8/],
  ];
  for (const [path, reason] of cases) {
    const message = messageOf({ SMTP_URL_FILE: path, MAIL_FROM: 'a@b.example' });
    assert.ok(message.startsWith(`SMTP_URL_FILE is "${path}", which `), message);
    assert.match(message, reason);
  }
  await mkdir(join(directory, 'SMTP_URL'));
  const credential = messageOf({ CREDENTIALS_DIRECTORY: directory });
  assert.equal(
    credential,
    `SMTP_URL is the systemd credential ${join(directory, 'SMTP_URL')}, which is a directory: expected a file.`,
  );
});

it('an invalid value in a file is refused without the value, and other settings are checked too', async (t) => {
  const file = await write(t, `postgres://u:${CANARY}@h/d?nonsense=${CANARY}`);
  assert.match(messageOf({ DATABASE_URL_FILE: file }), /^DATABASE_URL cannot be used/);
  const { findings } = checkSettings({ DATABASE_URL_FILE: file, SMTP_URL_FILE: '/none/here', PORT: 'x' });
  assert.deepEqual(
    findings.map(({ message }) => message.split(' ')[0]),
    ['DATABASE_URL', 'PORT', 'SMTP_URL_FILE'],
  );
  assert.ok(!JSON.stringify(findings).includes(CANARY));
});

it('doctor warns about a file of a secret that every user can read', async (t) => {
  const path = await write(t, 'postgres://u:p@h/d');
  const secretFiles = [{ name: 'DATABASE_URL_FILE', path }];
  assert.deepEqual(await checkSecretFiles({ secretFiles: [] }), []);
  const check = async () => (await checkSecretFiles({ secretFiles })).map(({ result }) => result);
  assert.deepEqual(await check(), ['ok']);
  await chmod(path, 0o644);
  // Nobody else can enter the folder.
  assert.deepEqual(await check(), ['ok']);
  await chmod(join(path, '..'), 0o755);
  assert.deepEqual(await check(), ['warning']);
  const [finding] = await checkSecretFiles({ secretFiles });
  assert.deepEqual(
    [finding?.message, finding?.advice],
    [`DATABASE_URL_FILE (${path}) can be read by every user`, `run: chmod o= '${path}'`],
  );
  await chmod(path, 0o640);
  assert.deepEqual(await check(), ['ok']);
});

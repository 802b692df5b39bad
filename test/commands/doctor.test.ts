import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { parseConfig } from '../../src/config.ts';
import { parsePostgresAddress } from '../../src/database/postgres/address.ts';
import { statement } from '../../src/database/statement.ts';
import { checkDatabase } from '../../src/doctor/check-database.ts';
import { checkDatabaseTls } from '../../src/doctor/check-database-tls.ts';
import { checkMetrics } from '../../src/doctor/check-metrics.ts';
import { examine as examineSettings } from '../../src/doctor/examine.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { createFeed } from '../../src/event-feed/queries.ts';
import { createCertificate } from '../support/certificates.ts';
import { forEachEngine, postgres, sqlite } from '../support/engines.ts';
import { MailServer, SMTP_PASSWORD } from '../support/mail-server.ts';
import { ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { newMerchant, onDatabase } from '../support/stored.ts';
import { runCommand } from './run-command.ts';

type Environment = Record<string, string> & { DATA_DIR: string };

/** What the command reports. Checks that its status is the worst finding's. */
async function runDoctor(
  environment: Environment,
  ...flags: string[]
): Promise<{ status: number; findings: Finding[] }> {
  const { status, stdout, stderr } = await runCommand(['doctor', '--json', ...flags], {
    PORT: '0',
    METRICS_ADDRESS: '127.0.0.1:0',
    ...environment,
  });
  assert.equal(stderr, '');
  const findings: Finding[] = JSON.parse(stdout);
  const worst = worstOf(findings);
  assert.equal(status, worst);
  return { status: worst, findings };
}

/** What the command would report, and its status. */
async function examine(
  environment: Environment,
  { deep = false } = {},
): Promise<{ status: number; findings: Finding[] }> {
  const settings = { PORT: '0', METRICS_ADDRESS: '127.0.0.1:0', ...environment };
  const findings = await examineSettings(settings, Date.now, { deep });
  return { status: worstOf(findings), findings };
}

function worstOf(findings: readonly Finding[]): number {
  return Math.max(...findings.map(({ result }) => ['ok', 'warning', 'problem'].indexOf(result)));
}

/** All other findings must be ok. */
async function expectFinding(
  environment: Environment,
  result: 'warning' | 'problem',
  check: string,
  message: RegExp,
  options: { deep?: boolean } = {},
): Promise<void> {
  const { status, findings } = await examine(environment, options);
  const found = findings.filter((one) => one.result !== 'ok');
  assert.deepEqual(
    found.map((one) => [one.check, one.result]),
    [[check, result]],
    JSON.stringify(found),
  );
  assert.match(found[0]?.message ?? '', message);
  assert.ok(found[0]?.advice);
  assert.equal(status, result === 'warning' ? 1 : 2);
}

/** The events wait since an hour ago. */
const delayEvents = (environment: Environment, leaseUntil: number): Promise<void> =>
  onDatabase(environment, (database) =>
    database.transaction(async (connection) => {
      await connection.run(
        statement<unknown, never>('UPDATE outbox SET written_at = written_at - 3600000000'),
      );
      await connection.run(createFeed, { epoch: 1 });
      await connection.run(
        statement<{ leaseUntil: number }, never>('UPDATE event_feed SET lease_until = :leaseUntil'),
        { leaseUntil },
      );
    }),
  );

const newEnvironment = async (t: TestContext): Promise<Environment> => {
  const environment = { DATA_DIR: await temporaryDirectory(t), ...(await sqlite.environment()) };
  await newMerchant(environment);
  return environment;
};

it('exits with 0 before the first start, and creates nothing', async (t) => {
  const directory = await temporaryDirectory(t);
  const { status, findings } = await runDoctor({ DATA_DIR: join(directory, 'data') });
  assert.equal(status, 0, JSON.stringify(findings));
  assert.deepEqual(await readdir(directory), []);
});

it('prints a line for each check', async (t) => {
  const { stdout, status } = await tradepost(['doctor'], {
    ...(await newEnvironment(t)),
    PORT: '0',
    TRUST_PROXY: '0.0.0.0/0',
  });
  assert.equal(status, 2);
  const lines = stdout.trimEnd().split('\n');
  for (const line of lines) assert.match(line, /^(ok {7}|warning {2}|problem {2})[a-z ]+: .+$/);
  const checks = lines.map((line) => line.slice(9).split(':')[0]);
  assert.deepEqual(checks, [
    'settings',
    'files',
    'disk',
    'certificate',
    'proxy',
    'database',
    'clock',
    'events',
    'webhooks',
    'encryption',
    'port',
    'metrics',
    'mail',
    'memory',
    'open files',
  ]);
});

it('reports a mail server that cannot be used, without the password, and sends no mail', async (t) => {
  await using server = await MailServer.start();
  const environment = { ...(await newEnvironment(t)), ...server.environment };
  const ofMail = async (settings: Environment): Promise<Finding | undefined> => {
    const { findings } = await examine(settings);
    assert.ok(!JSON.stringify(findings).includes(encodeURIComponent(SMTP_PASSWORD)));
    return findings.find(({ check }) => check === 'mail');
  };
  const found = await ofMail(environment);
  assert.match(found?.message ?? '', /^127\.0\.0\.1:\d+ can be used$/);
  await expectFinding({ ...environment, PUBLIC_URL: '' }, 'warning', 'mail', /^PUBLIC_URL is not set/);
  const { SMTP_URL } = server.environment;
  const untrusted = SMTP_URL.replace(/\?.*/, '');
  const problems: [SMTP_URL: string, message: RegExp][] = [
    [untrusted, /the server’s certificate is not valid/],
    [
      SMTP_URL.replace('ca.pem', 'none.pem'),
      /the file that the parameter ca of SMTP_URL names cannot be read/,
    ],
    [SMTP_URL.replace(/:[^:@]*@/, ':wrong@'), /did not accept the user and the password \(535\)/],
    [SMTP_URL.replace('smtp:', 'smtps:'), /cannot be used/],
  ];
  for (const [url, message] of problems)
    await expectFinding({ ...environment, SMTP_URL: url }, 'problem', 'mail', message);
  await server.stop();
  await expectFinding(environment, 'problem', 'mail', /the connection was refused/);
  assert.deepEqual(server.received, []);
});

it('warns if anyone can register with an email that is not verified', async (t) => {
  await using server = await MailServer.start();
  const environment = { ...(await newEnvironment(t)), SELF_REGISTRATION: 'on' };
  const message =
    /^SELF_REGISTRATION is on but SMTP_URL is not set, so the emails of new users are not verified$/;
  await expectFinding(environment, 'warning', 'mail', message);
  assert.equal((await runDoctor(environment)).status, 1);
  const { status } = await examine({ ...environment, ...server.environment });
  assert.equal(status, 0);
});

/** Creating a webhook creates the key file. */
const addWebhook = async (environment: Environment): Promise<void> => {
  const create = ['webhooks', 'create', '--url', 'https://market.example/'];
  const { status, stderr } = await runCommand(create, environment);
  assert.equal(status, 0, stderr);
};

forEachEngine((engine) => {
  it('reports a key file that is missing, lacks a key, or is accessible to every user, and creates none', async (t) => {
    const ENCRYPTION_KEY_FILE = join(await temporaryDirectory(t), 'my.keys');
    const environment = {
      DATA_DIR: await temporaryDirectory(t),
      ...(await engine.environment()),
      ENCRYPTION_KEY_FILE,
    };
    const ofEncryption = async (): Promise<Finding | undefined> =>
      (await examine(environment)).findings.find(({ check }) => check === 'encryption');
    await newMerchant(environment);
    assert.match((await ofEncryption())?.message ?? '', /^the first webhook or order creates the key file$/);
    await addWebhook(environment);
    assert.match((await ofEncryption())?.message ?? '', /my\.keys has the keys of all encrypted values$/);
    const problem = (message: RegExp): Promise<void> =>
      expectFinding(environment, 'problem', 'encryption', message);
    const content = await readFile(ENCRYPTION_KEY_FILE, 'utf8');
    await chmod(ENCRYPTION_KEY_FILE, 0o604);
    await problem(/my\.keys is accessible to every user: run chmod go= '/);
    await chmod(ENCRYPTION_KEY_FILE, 0o600);
    await writeFile(ENCRYPTION_KEY_FILE, `0000000a ${content.slice(9)}`);
    await problem(/my\.keys does not have the key [0-9a-f]{8}, which encrypts values/);
    await writeFile(ENCRYPTION_KEY_FILE, 'other');
    await problem(/my\.keys has an invalid line 1: expected an ID/);
    await rm(ENCRYPTION_KEY_FILE);
    await problem(/my\.keys does not exist, but the key [0-9a-f]{8} encrypts values/);
    await assert.rejects(stat(ENCRYPTION_KEY_FILE));
  });

  it('reports a rotation of keys that is not finished, old keys, the oldest month, and when the key file changed', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    await newMerchant(environment);
    await addWebhook(environment);
    const file = join(environment.DATA_DIR, 'encryption.keys');
    const run = async (...words: string[]): Promise<void> => {
      const { status, stderr } = await runCommand(['encryption', ...words], environment);
      assert.equal(status, 0, stderr);
    };
    const messages = async (): Promise<string> =>
      (await examine(environment)).findings
        .filter(({ check }) => check === 'encryption')
        .map(({ message }) => message)
        .join('\n');
    const [oldId] = (await readFile(file, 'utf8')).split(' ');
    await run('create');
    const changedAt = (await stat(file)).mtime.toISOString().slice(0, 19);
    const [, month] = /^monthly (\S+) /m.exec(await readFile(file, 'utf8')) ?? [];
    const before = await messages();
    assert.match(before, new RegExp(`^the file was last changed at ${changedAt}`, 'm'));
    assert.match(before, new RegExp(`^the customer data of ${month} and later months can be decrypted`, 'm'));
    await run('rotate');
    await expectFinding(
      environment,
      'warning',
      'encryption',
      /^a rotation has begun: .* new keys [0-9a-f]{8}, /,
    );
    await run('rotate', '--finish');
    assert.match(
      await messages(),
      new RegExp(`^no value is encrypted with ${oldId}; .* "tradepost encryption`, 'm'),
    );
    await run('remove-unused');
    assert.doesNotMatch(await messages(), /no value is encrypted/);
  });

  it('exits with 0 while the service runs, and recognizes its ports', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    const server = await ServerProcess.start(t, { ...environment, METRICS_ADDRESS: '127.0.0.1:0' });
    const { metrics } = JSON.parse(await server.log.line('"msg":"serving"'));
    const { status, findings } = await runDoctor({
      ...environment,
      PORT: server.baseUrl.port,
      METRICS_ADDRESS: new URL(metrics).host,
    });
    assert.equal(status, 0, JSON.stringify(findings));
    for (const name of ['port', 'metrics']) {
      const message = findings.find(({ check }) => check === name)?.message ?? '';
      assert.match(message, /already served by Tradepost/, name);
    }
    const clock = findings.find(({ check }) => check === 'clock')?.message ?? '';
    if (engine === sqlite) assert.match(clock, /^consistent with /);
    else assert.match(clock, /^0\.\d s from the database server's/);
  });

  it('reports an older schema as a warning, and a time in the future as a problem', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    const run = (sql: string): Promise<number> =>
      onDatabase(environment, (database) =>
        database.transaction((connection) => connection.run(statement<unknown, never>(sql))),
      );
    // Later than now, whenever the template of the database was created.
    await run(`UPDATE tradepost_migrations SET applied_at = ${Date.now() + 600_000} WHERE version = 1`);
    await expectFinding(environment, 'problem', 'clock', /^earlier than /);
    await run('DELETE FROM tradepost_migrations');
    const { findings } = await examine(environment);
    assert.ok(
      findings.some(
        ({ check, result, message }) =>
          check === 'database' && result === 'warning' && /has schema version 0/.test(message),
      ),
    );
  });
});

it('reports a clock that differs from the database server’s as a warning, and by over a minute as a problem', async (t) => {
  const config = parseConfig({ DATA_DIR: await temporaryDirectory(t), ...(await postgres.environment()) });
  const clock = async (aheadMs: number): Promise<Finding | undefined> =>
    (await checkDatabase(config, () => Date.now() + aheadMs, { deep: false })).find(
      ({ check }) => check === 'clock',
    );
  for (const [aheadMs, result] of [
    [0, 'ok'],
    [30_000, 'warning'],
    [90_000, 'problem'],
  ] as const) {
    const finding = await clock(aheadMs);
    assert.equal(finding?.result, result, `${aheadMs} ms ahead`);
    assert.match(finding?.message ?? '', /^\d+\.\d s from the database server's$/);
  }
});

it('names every invalid setting', async (t) => {
  const { status, findings } = await runDoctor({
    DATA_DIR: await temporaryDirectory(t),
    PORT: 'https',
    TLS_CERT_FILE: 'cert.pem',
    WORKERS: 'many',
    DATABASE_URL: 'postgres://user:s3cret@db:x/shop',
  });
  assert.equal(status, 2);
  for (const name of ['PORT', 'TLS_CERT_FILE', 'WORKERS', 'DATABASE_URL']) {
    assert.equal(findings.filter(({ message }) => message.startsWith(name)).length, 1, name);
  }
  assert.doesNotMatch(JSON.stringify(findings), /s3cret/);
});

it('reports files that others can read as a problem, and that the group can read as a warning', async (t) => {
  for (const [mode, result] of [
    [0o640, 'warning'],
    [0o604, 'problem'],
  ] as const) {
    const environment = await newEnvironment(t);
    await chmod(join(environment.DATA_DIR, 'tradepost.db'), mode);
    await expectFinding(environment, result, 'files', /tradepost\.db can be read by other users/);
  }
});

it('reports a certificate that has expired or soon will, or does not match its name or key, and a readable key', async (t) => {
  const environment = await newEnvironment(t);
  const directory = await temporaryDirectory(t);
  const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const settings = { ...environment, TLS_CERT_FILE, TLS_KEY_FILE };
  const writePair = async (days: number): Promise<void> => {
    const pair = await createCertificate('shop.example', { days });
    await writeFile(TLS_CERT_FILE, pair.cert);
    await writeFile(TLS_KEY_FILE, pair.key, { mode: 0o600 });
  };
  await writePair(0.01);
  await expectFinding(settings, 'problem', 'certificate', /^expired at/);
  await writePair(3);
  await expectFinding(settings, 'warning', 'certificate', /^expires in 2 days/);
  await writePair(13.5);
  await expectFinding(settings, 'warning', 'certificate', /^expires in 13 days/);
  await writePair(15);
  assert.equal((await examine(settings)).status, 0);
  await writePair(90);
  assert.equal((await examine({ ...settings, PUBLIC_URL: 'https://shop.example' })).status, 0);
  await expectFinding(
    { ...settings, PUBLIC_URL: 'https://other.example' },
    'problem',
    'certificate',
    /^not valid for other\.example/,
  );
  await chmod(TLS_KEY_FILE, 0o644);
  await expectFinding(settings, 'problem', 'files', /TLS_KEY_FILE .* can be read by every user/);
  await chmod(TLS_KEY_FILE, 0o600);
  await writeFile(TLS_KEY_FILE, (await createCertificate('other')).key);
  await expectFinding(settings, 'problem', 'certificate', /are not a certificate and its key/);
});

it('reports a port that another program uses as a problem', async (t) => {
  const taken = createServer((socket) => socket.end('SSH-2.0-none\r\n')).listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  await expectFinding(
    { ...(await newEnvironment(t)), PORT: String(port) },
    'problem',
    'port',
    /is in use by another program/,
  );
});

it('reports a metrics address that another program uses as a problem if it was set, else as a warning', async (t) => {
  const taken = createHttpServer((_request, response) => response.end('dead')).listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const METRICS_ADDRESS = `127.0.0.1:${port}`;
  const environment = await newEnvironment(t);
  await expectFinding(
    { ...environment, METRICS_ADDRESS },
    'problem',
    'metrics',
    /in use by another program; the service does not start/,
  );
  await expectFinding(
    { ...environment, METRICS_ADDRESS: '192.0.2.1:9464' },
    'problem',
    'metrics',
    /cannot be listened on: EADDRNOTAVAIL/,
  );
  const address = { host: '127.0.0.1', port, isDefault: true };
  const [finding] = await checkMetrics({ metrics: address });
  assert.equal(finding?.result, 'warning');
  const off = await examine({ ...environment, METRICS_ADDRESS: 'off' });
  assert.equal(off.status, 0, JSON.stringify(off.findings));
});

it('reports as a problem if no address, or every address, is trusted as a proxy', async (t) => {
  const environment = { ...(await newEnvironment(t)), TLS: 'proxy', PUBLIC_URL: 'https://shop.example' };
  await expectFinding(environment, 'problem', 'proxy', /every request is rejected/);
  await expectFinding(
    { ...environment, TRUST_PROXY: '::/0,0.0.0.0/0' },
    'problem',
    'proxy',
    /trusts every address/,
  );
  assert.equal((await examine({ ...environment, TRUST_PROXY: '10.0.0.0/8' })).status, 0);
});

it('reports a service behind a proxy that listens on every address as a warning', async (t) => {
  const environment = { ...(await newEnvironment(t)), TLS: 'proxy', PUBLIC_URL: 'https://shop.example' };
  const trusted = { ...environment, TRUST_PROXY: '10.0.0.7' };
  for (const HOST of ['0.0.0.0', '::']) {
    await expectFinding({ ...trusted, HOST }, 'warning', 'proxy', /tokens may cross a network unencrypted/);
  }
  assert.equal((await examine({ ...trusted, HOST: '127.0.0.1' })).status, 0);
});

it('reports an unverified database server as a warning, unless the connection stays on this machine', async (t) => {
  const check = (url: string): Finding[] =>
    checkDatabaseTls(parsePostgresAddress(`postgres://u:s3cret@${url}`));
  for (const url of [
    'db1/shop',
    'db1/shop?sslmode=disable',
    'db1/shop?sslmode=require',
    'db1/shop?sslmode=verify-ca&sslrootcert=ca.pem',
    '10.0.0.7/shop',
    '[2001:db8::1]/shop',
    '127.0.0.1,db1/shop',
    '127.example.com/shop',
  ]) {
    const [finding, ...others] = check(url);
    assert.equal(finding?.result, 'warning', url);
    assert.match(finding.message, /^sslmode is [a-z-]+, so another server could impersonate \S+$/);
    assert.match(finding.advice ?? '', /sslmode=verify-full/);
    assert.doesNotMatch(JSON.stringify(finding), /s3cret/);
    assert.deepEqual(others, []);
  }
  for (const url of [
    'db1,db2/shop?sslmode=verify-full',
    'localhost/shop',
    '127.0.0.1:6432,127.9.9.9/shop',
    '[::1]/shop?sslmode=disable',
    '/shop?host=/run/postgresql',
  ]) {
    assert.deepEqual(check(url), [], url);
  }
  // A reserved name, which never resolves.
  const DATABASE_URL = 'postgres://user@database.invalid/shop';
  const { findings } = await examine({ DATA_DIR: await temporaryDirectory(t), DATABASE_URL });
  const results = findings.filter(({ check: name }) => name === 'database').map(({ result }) => result);
  assert.deepEqual(results, ['warning', 'problem']);
});

it('reports an unavailable database server as a problem, without the password', async (t) => {
  const DATABASE_URL = 'postgres://user:s3cret@127.0.0.1:1/shop';
  const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL };
  await expectFinding(
    environment,
    'problem',
    'database',
    /^The database server at 127\.0\.0\.1:1 cannot be used/,
  );
  const { stdout } = await runCommand(['doctor'], environment);
  assert.doesNotMatch(stdout, /s3cret/);
});

it('finds damaged pages with --deep', async (t) => {
  const environment = await newEnvironment(t);
  assert.equal((await runDoctor(environment, '--deep')).status, 0);
  const file = await open(join(environment.DATA_DIR, 'tradepost.db'), 'r+');
  const { size } = await file.stat();
  // The last pages are indexes that the quick check does not read.
  for (let page = size / 8192 - 4; page < size / 8192; page += 1)
    await file.write(Buffer.alloc(64, 'x'), 0, 64, page * 8192);
  await file.close();
  await expectFinding(environment, 'problem', 'database', /faults in its pages|malformed/, { deep: true });
});

it('warns if events wait and no process moves them to the feed, and reports a problem if one should', async (t) => {
  const environment = await newEnvironment(t);
  await delayEvents(environment, 0);
  await expectFinding(
    environment,
    'warning',
    'events',
    /^2 not in the feed yet, the oldest for 36\d\d s; no process/,
  );
  await delayEvents(environment, (Date.now() + 30_000) * 1000);
  await expectFinding(environment, 'problem', 'events', /^2 not in the feed yet, the oldest for 72\d\d s$/);
});

import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { describe, it } from 'node:test';
import { parseConfig } from '../../src/config.ts';
import {
  describeHosts,
  type PostgresAddress,
  parsePostgresAddress,
} from '../../src/database/postgres/address.ts';

const me = userInfo().username;

function expectAddress(text: string, expected: Partial<PostgresAddress>): void {
  const address = parsePostgresAddress(text);
  const picked = Object.keys(expected).map((name) => [name, address[name as keyof PostgresAddress]]);
  assert.deepEqual(Object.fromEntries(picked), expected, text);
}

describe('the URL of a PostgreSQL database', () => {
  it('has a default for every omitted part', () => {
    expectAddress('postgres://', {
      hosts: [{ host: 'localhost', port: 5432 }],
      user: me,
      password: '',
      database: me,
      sslMode: 'prefer',
      sslRootCertificateFile: null,
      sslCertificateFile: null,
      sslKeyFile: null,
      applicationName: 'tradepost',
      prepare: true,
    });
    expectAddress('postgresql://db1', { hosts: [{ host: 'db1', port: 5432 }], user: me, database: me });
    expectAddress('postgres://shop@db1', { user: 'shop', password: '', database: 'shop' });
    expectAddress('postgres://shop@:5433/', { hosts: [{ host: 'localhost', port: 5433 }], database: 'shop' });
    expectAddress('postgres:///goods', { hosts: [{ host: 'localhost', port: 5432 }], database: 'goods' });
  });

  it('can have any characters in names and passwords', () => {
    for (const odd of ['p@ss', 'a:b', '50%', '/?#[]', '%40', 'schön 日本', '+ &=', '\'"\\', ':']) {
      const written = encodeURIComponent(odd);
      expectAddress(`postgres://${written}:${written}@db1/${written}`, {
        user: odd,
        password: odd,
        database: odd,
      });
    }
    // Only the first colon of the credentials is a separator, and a plus sign is literal.
    expectAddress('postgres://shop:a:b+c@db1/', { user: 'shop', password: 'a:b+c' });
    expectAddress('postgres://shop:@db1/', { user: 'shop', password: '' });
  });

  it('can have one or several hosts, as names or addresses', () => {
    const hosts = (authority: string) => parsePostgresAddress(`postgres://u:p@${authority}/d`).hosts;
    assert.deepEqual(hosts('db1:1'), [{ host: 'db1', port: 1 }]);
    assert.deepEqual(hosts('db1:1,db2,db3:65535'), [
      { host: 'db1', port: 1 },
      { host: 'db2', port: 5432 },
      { host: 'db3', port: 65_535 },
    ]);
    assert.deepEqual(hosts('[::1]:5433,[fe80::1],10.0.0.7'), [
      { host: '::1', port: 5433 },
      { host: 'fe80::1', port: 5432 },
      { host: '10.0.0.7', port: 5432 },
    ]);
    assert.equal(describeHosts({ hosts: hosts('db1,[::1]:5433') }), 'db1:5432, [::1]:5433');
  });

  it('can have the directory of a socket, as a parameter or as the host', () => {
    const directory = [{ host: '/run/postgresql', port: 5432 }];
    expectAddress('postgres://shop@/goods?host=/run/postgresql', { hosts: directory, database: 'goods' });
    expectAddress('postgres://shop@%2Frun%2Fpostgresql/goods', { hosts: directory });
    expectAddress('postgres:///goods?host=%2Frun%2Fpostgresql', { hosts: directory });
    expectAddress('postgres:///goods?host=/run/postgresql:5433', {
      hosts: [{ host: '/run/postgresql', port: 5433 }],
    });
  });

  it('can have parameters', () => {
    const parameters =
      'sslmode=verify-full&sslrootcert=/etc/ca.pem&sslcert=c.pem&sslkey=k.pem&application_name=shop%201&prepare=false';
    expectAddress(`postgres://db1/?${parameters}`, {
      sslMode: 'verify-full',
      sslRootCertificateFile: '/etc/ca.pem',
      sslCertificateFile: 'c.pem',
      sslKeyFile: 'k.pem',
      applicationName: 'shop 1',
      prepare: false,
    });
    for (const attributes of ['any', 'read-write', 'primary'])
      parsePostgresAddress(`postgres://db1,db2/?target_session_attrs=${attributes}`);
  });

  it('is rejected with a reason that never contains the password', () => {
    const secret = 's3cret';
    for (const [text, message] of [
      ['tradepost', /expected postgres:\/\/user:password@host:5432\/database$/],
      [`mysql://u:${secret}@db1/d`, /expected postgres:\/\//],
      [`postgres:u:${secret}@db1/d`, /expected postgres:\/\//],
      // A password whose @, / or ? is not written as %40 and so on.
      [`postgres://u:${secret}@x@db1/d`, /expected postgres:\/\//],
      [`postgres://u:${secret}/x@db1`, /expected postgres:\/\//],
      [`postgres://u:${secret}?x@db1/d`, /expected postgres:\/\//],
      [`postgres://u:${secret}`, /invalid host: expected host or host:port$/],
      [`postgres://u:${secret}#x@db1/d`, /expected postgres:\/\//],
      [`postgres://u:${secret}%@db1/d`, /write a literal % as %25/],
      [`postgres://u:${secret}%zz@db1/d`, /write a literal % as %25/],
      [`postgres://u:${secret}@db1/a/b`, /expected postgres:\/\//],
      [`postgres://u:${secret}@db1:x/d`, /invalid host/],
      [`postgres://u:${secret}@db1:0/d`, /invalid host/],
      [`postgres://u:${secret}@db1:65536/d`, /invalid host/],
      [`postgres://u:${secret}@::1/d`, /invalid host/],
      [
        `postgres://u:${secret}@db1/d?sslmode=on`,
        /parameter sslmode is "on": expected one of disable, allow, /,
      ],
      [`postgres://u:${secret}@db1/d?prepare=no`, /parameter prepare is "no": expected one of true, false$/],
      [`postgres://u:${secret}@db1/d?target_session_attrs=standby`, /target_session_attrs is "standby"/],
      [`postgres://u:${secret}@db1/d?connect_timeout=1`, /unknown parameter connect_timeout$/],
      [`postgres://u@db1/d?password=${secret}`, /unknown parameter password$/],
    ] as const) {
      assert.throws(
        () => parseConfig({ DATABASE_URL: text }),
        ({ name, message: reported }: Error) => {
          assert.equal(name, 'SettingError');
          assert.match(reported, /^DATABASE_URL cannot be used: [^\n]*\.$/);
          assert.match(reported.slice(0, -1), message);
          assert.equal(reported.includes(secret), false, reported);
          return true;
        },
        text,
      );
    }
  });
});

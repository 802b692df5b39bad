import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { it } from 'node:test';
import { LETS_ENCRYPT } from '../../src/acme/acme-settings.ts';
import { parseConfig, SettingError } from '../../src/config.ts';

const parse = (values: Record<string, string>) => parseConfig({ TLS: 'acme', ...values }).tls;
const ACCEPTED = { ACME_ACCEPT_TERMS: 'on' };
const HOSTS = { ACME_HOSTS: 'shop.example' };

function refuses(values: Record<string, string>, message: RegExp): void {
  assert.throws(
    () => parse(values),
    (error) => {
      assert.ok(error instanceof SettingError);
      assert.match(error.message, message);
      assert.match(error.message, /\.$/);
      return true;
    },
  );
}

it('TLS=acme needs names and consent, and has defaults for everything else', () => {
  const defaults = { directory: LETS_ENCRYPT, email: null, caFile: null };
  const public1 = { PUBLIC_URL: 'https://Shop.example', ...ACCEPTED };
  assert.deepEqual(parse(public1), { mode: 'acme', acme: { ...defaults, hosts: ['shop.example'] } });
  const stated = {
    ACME_HOSTS: ' www.shop.example, Shop.example,, shop.example',
    ACME_DIRECTORY: 'https://ca.example/directory?profile=short',
    ACME_EMAIL: 'admin@shop.example',
    ACME_CA_FILE: 'roots.pem',
  };
  assert.deepEqual(parse({ ...stated, ...ACCEPTED, PUBLIC_URL: 'https://other.example' }), {
    mode: 'acme',
    acme: {
      directory: 'https://ca.example/directory?profile=short',
      hosts: ['shop.example', 'www.shop.example'],
      email: 'admin@shop.example',
      caFile: resolve('roots.pem'),
    },
  });
  refuses(ACCEPTED, /needs the names .* set ACME_HOSTS or PUBLIC_URL/);
  refuses(HOSTS, /needs your consent to the terms of service .* set ACME_ACCEPT_TERMS to on/);
});

it('TLS=acme refuses what no authority certifies, directories without https, and files of a certificate', () => {
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '*.shop.example',
    'shop',
    'shop_1.example',
    '-a.example',
    'a..example',
  ])
    refuses({ ACME_HOSTS: host, ...ACCEPTED }, /^ACME_HOSTS has .*expected host names/);
  refuses({ PUBLIC_URL: 'https://192.0.2.7', ...ACCEPTED }, /^PUBLIC_URL has "192\.0\.2\.7"/);
  const many = Array.from({ length: 101 }, (_, index) => `h${index}.example`).join();
  refuses({ ACME_HOSTS: many, ...ACCEPTED }, /^ACME_HOSTS has 101 names/);
  for (const directory of ['http://ca.example/', 'ca.example', 'https://user:hidden@ca.example/'])
    assert.throws(
      () => parse({ ...HOSTS, ...ACCEPTED, ACME_DIRECTORY: directory }),
      (error: Error) =>
        /^ACME_DIRECTORY cannot be used: /.test(error.message) && !/hidden/.test(error.message),
    );
  for (const email of ['admin', 'a b@shop.example', 'a@shop.example,b@shop.example'])
    refuses({ ...HOSTS, ...ACCEPTED, ACME_EMAIL: email }, /^ACME_EMAIL is /);
  const files = { TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem' };
  refuses(
    { ...HOSTS, ...ACCEPTED, ...files },
    /^TLS is "acme", which gets the certificate from an authority: unset/,
  );
});

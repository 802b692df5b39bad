import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig, SettingError } from '../../src/config.ts';

const FROM = 'no-reply@shop.example';

function mailOf(SMTP_URL: string, MAIL_FROM = FROM) {
  return parseConfig({ SMTP_URL, MAIL_FROM }).mail;
}

describe('the settings of mail', () => {
  it('are off by default, and belong together', () => {
    assert.equal(parseConfig({}).mail, null);
    assert.throws(() => mailOf('smtp://mail.example', ''), /SMTP_URL and MAIL_FROM belong together/);
    assert.throws(() => mailOf('', FROM), /SMTP_URL and MAIL_FROM belong together/);
  });

  it('read a URL with percent-encoded user and password', () => {
    assert.deepEqual(mailOf('smtp://ada%40shop.example:p%2Fa%3As%25s@mail.example')?.server, {
      host: 'mail.example',
      port: 587,
      tls: 'starttls',
      credentials: { user: 'ada@shop.example', password: 'p/a:s%s' },
      caFile: null,
    });
    assert.deepEqual(mailOf('smtps://[::1]?ca=/etc/ca.pem')?.server, {
      host: '::1',
      port: 465,
      tls: 'implicit',
      credentials: null,
      caFile: '/etc/ca.pem',
    });
    assert.deepEqual(mailOf('smtp://relay:25/?tls=off')?.server, {
      host: 'relay',
      port: 25,
      tls: 'off',
      credentials: null,
      caFile: null,
    });
  });

  it('reject other URLs, without repeating the password', () => {
    for (const url of [
      'mail.example:587',
      'https://user:secret@mail.example',
      'smtp://user:secret@',
      'smtp://user:sec/ret@mail.example',
      'smtp://user:secret%@mail.example',
      'smtp://user@mail.example',
      'smtp://:secret@mail.example',
      'smtp://user:secret@mail.example/path',
      'smtp://user:secret@mail.example#secret',
      'smtp://user:secret@mail.example?tls=off',
      'smtp://mail.example?tls=on',
      'smtps://mail.example?tls=off',
      'smtp://mail.example?ca=',
      'smtp://mail.example?secret=1',
      'smtp://mail.example:99999',
    ]) {
      assert.throws(
        () => mailOf(url),
        (error) =>
          error instanceof SettingError && /^SMTP_URL /.test(error.message) && !/secret/.test(error.message),
        url,
      );
    }
  });

  it('read a sender with and without a name, and reject one that could add headers', () => {
    assert.deepEqual(mailOf('smtp://mail.example')?.from, { name: '', address: FROM });
    assert.deepEqual(mailOf('smtp://mail.example', `Ada’s Shop <${FROM}>`)?.from, {
      name: 'Ada’s Shop',
      address: FROM,
    });
    for (const from of [
      'shop',
      `a <b> <${FROM}>`,
      `Shop\r\nBcc: x@y.example <${FROM}>`,
      `${FROM}, x@y.example`,
    ])
      assert.throws(() => mailOf('smtp://mail.example', from), /^SettingError: MAIL_FROM is /);
  });
});

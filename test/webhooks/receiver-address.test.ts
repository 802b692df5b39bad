import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { describe, it } from 'node:test';
import {
  addressFinder,
  lookupProblem,
  problemOfUrl,
  ReceiverRefused,
} from '../../src/webhooks/receiver-address.ts';

const none = new BlockList();
const forMerchant = (url: string): string | undefined => problemOfUrl(url, 'merchant', none);

/** Addresses in the notations that URLs allow. */
const notPublic = [
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '017700000001',
  '2130706433',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[2001:db8::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
];

describe('the URL of a receiver', () => {
  it('can be public, with port 443 or 8443', () => {
    for (const url of [
      'https://example.com/hooks?a=b',
      'https://example.com.:443/',
      'https://shop.example:8443',
      'https://8.8.8.8/',
      'https://[2606:4700::1111]/',
    ]) {
      assert.equal(forMerchant(url), undefined, url);
    }
  });

  for (const address of notPublic) {
    it(`cannot be ${address}`, () => {
      assert.match(forMerchant(`https://${address}/`) ?? '', /^a URL with a public address$/);
    });
  }

  it('cannot be anything else than https, or have a user, a fragment or another port', () => {
    for (const url of [
      'http://example.com/',
      'ftp://example.com/',
      'example.com',
      '',
      'https://',
      'https://me@example.com/',
      'https://:secret@example.com/',
      'https://example.com/#part',
      'https://example.com:22/',
      'https://example.com:0/',
      'https://localhost/',
      'https://db./',
      `https://example.com/${'x'.repeat(2_000)}`,
    ]) {
      assert.notEqual(forMerchant(url), undefined, url);
    }
  });

  it('can be in a listed network if it is the operator’s', () => {
    const networks = new BlockList();
    networks.addSubnet('10.0.0.0', 8);
    const url = 'https://10.1.2.3:9000/';
    assert.equal(problemOfUrl(url, 'operator', networks), undefined);
    assert.notEqual(problemOfUrl(url, 'operator', none), undefined);
    assert.notEqual(problemOfUrl(url, 'merchant', networks), undefined);
    assert.notEqual(problemOfUrl('https://192.168.0.1/', 'operator', networks), undefined);
    assert.equal(problemOfUrl('https://backend/', 'operator', networks), undefined);
  });
});

describe('the address of a receiver', () => {
  const signal = new AbortController().signal;

  it('is refused if the name resolves to one that is not public', async () => {
    const find = addressFinder(none);
    await assert.rejects(find('localhost', 'operator', signal), ReceiverRefused);
    await assert.rejects(find('127.0.0.1', 'merchant', signal), ReceiverRefused);
    await assert.rejects(find('::ffff:127.0.0.1', 'operator', signal), ReceiverRefused);
  });

  it('is refused if the name does not resolve', async () => {
    await assert.rejects(addressFinder(none)('nowhere.invalid', 'merchant', signal), /nowhere\.invalid/);
  });

  it('that is not found is explained without the words of the name server', () => {
    const failure = (code: string): Error =>
      Object.assign(new Error(`queryA ${code} hooks.example.com`), { code });
    for (const code of ['ENOTFOUND', 'ENODATA'])
      assert.equal(
        lookupProblem('hooks.example.com', failure(code)),
        'Couldn’t find hooks.example.com. Check the domain name.',
      );
    assert.match(
      lookupProblem('hooks.example.com', failure('ESERVFAIL')),
      /^couldn’t look up hooks\.example/,
    );
  });

  it('can be private for the operator alone', async () => {
    const networks = new BlockList();
    networks.addSubnet('127.0.0.0', 8);
    networks.addAddress('::1', 'ipv6');
    const find = addressFinder(networks);
    assert.equal(await find('localhost', 'operator', signal), '127.0.0.1');
    await assert.rejects(find('127.0.0.1', 'merchant', signal), ReceiverRefused);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isEmailAddress } from '../../src/shared/email-address.ts';
import { messageOf } from '../../src/shared/error-message.ts';
import { foldName } from '../../src/shared/fold-name.ts';
import { nearest } from '../../src/shared/nearest.ts';
import { fc } from '../support/seed.ts';

describe('names that people may mistake for each other', () => {
  for (const [one, other] of [
    ['Acme', 'ACME'],
    ['Acme  Shop', ' Acme Shop '],
    ['Acme', 'Ａｃｍｅ'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'STRASSE'],
    ['Acme', 'Ac\u200bme'],
    ['Acme', '\u2066Acme\u2069'],
    ['é', 'e\u0301'],
  ] as const) {
    it(`have the same form: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      assert.equal(foldName(one), foldName(other));
    });
  }

  it('do not include letters of another script', () => {
    assert.notEqual(foldName('Acme'), foldName('Асme'));
  });

  it('have a form that folding again does not change', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) =>
        assert.equal(foldName(foldName(name)), foldName(name)),
      ),
    );
  });
});

describe('the nearest name', () => {
  const known = ['access_token', 'changed_since', 'count', 'page', 'products_per_page'];

  it('is the one that a word misspells', () => {
    for (const [word, name] of [
      ['acces_token', 'access_token'],
      ['Access-Token', 'access_token'],
      ['chnaged_since', 'changed_since'],
      ['pgae', undefined],
      ['pages', 'page'],
      ['xyz', undefined],
      ['', undefined],
      ['p'.repeat(101), undefined],
    ] as const)
      assert.equal(nearest(word, known), name, word);
  });

  it('is the name itself if it is known, and also after one letter of three has changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.nat(), fc.constantFrom(...'xyz'), (name, at, letter) => {
        assert.equal(nearest(name, known), name);
        const index = at % name.length;
        assert.equal(nearest(`${name.slice(0, index)}${letter}${name.slice(index + 1)}`, known), name);
      }),
    );
  });
});

it('an email address needs no quoting', () => {
  for (const address of ['a@example.com', 'first.last+tag@mail.example.co', "o'brien@example.com"])
    assert.ok(isEmailAddress(address), address);
  for (const address of [
    '',
    'a',
    'a@example',
    'a@@example.com',
    'a b@example.com',
    '.a@example.com',
    'a..b@example.com',
    'a.@example.com',
    'A@example.com',
    '"a"@example.com',
    'a@example.com\n',
    'a@-example.com',
    `${'a'.repeat(250)}@example.com`,
  ])
    assert.ok(!isEmailAddress(address), JSON.stringify(address));
});

it('only an error has a message', () => {
  assert.equal(messageOf(new TypeError('no such file')), 'no such file');
  for (const thrown of ['text', null, undefined, { message: 'secret' }])
    assert.equal(messageOf(thrown), 'unknown error');
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseConfig, SettingError } from '../src/config.ts';

it('CAMPAIGN_TYPES has names and, in parentheses, explanations', () => {
  const parse = (value: string) => parseConfig({ CAMPAIGN_TYPES: value }).campaignTypes;
  const plain = (name: string) => ({ name, explanation: null });
  assert.equal(parse(' '), null);
  assert.deepEqual(parse('AuctionCampaign'), [plain('AuctionCampaign')]);
  assert.deepEqual(parse(' A,, Big B ,'), [plain('A'), plain('Big B')]);
  assert.deepEqual(parse('A (One, or two),B( ),C(x)'), [
    { name: 'A', explanation: 'One, or two' },
    plain('B'),
    { name: 'C', explanation: 'x' },
  ]);
  for (const value of [',', 'A (open', 'A) B', '(only this)', 'A (x) B', 'A (x (y))', 'A (x)(y)', 'A, (x)'])
    assert.throws(() => parse(value), SettingError, value);
});

it('RELEASE_FEED is the address of a document, without a secret', () => {
  const parse = (value: string) => parseConfig({ RELEASE_FEED: value }).releaseFeed;
  assert.equal(parse(''), null);
  assert.equal(parse('https://shop.example/tradepost.json'), 'https://shop.example/tradepost.json');
  assert.equal(parse('http://localhost:8080/'), 'http://localhost:8080/');
  for (const value of [
    'on',
    'http://shop.example/tradepost.json',
    'ftp://shop.example/tradepost.json',
    'https://user:hidden@shop.example/',
    'https://shop.example/?token=hidden',
    'https://shop.example/#hidden',
  ])
    assert.throws(
      () => parse(value),
      (error) => error instanceof SettingError && !error.message.includes('hidden'),
      value,
    );
});

const PROVIDER = { ISSUER: 'https://login.example/realm', CLIENT_ID: 'tradepost', CLIENT_SECRET: 'hidden' };

for (const [prefix, setting, role, merchant] of [
  ['OIDC_', 'oidc', 'tradepost_role', null],
  ['MERCHANT_OIDC_', 'merchantOidc', 'tradepost_merchant_role', 'tradepost_merchant'],
] as const) {
  const prefixed = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));
  const parse = (values: Record<string, string>) => parseConfig(prefixed(values))[setting];

  it(`${prefix}… name a provider, with defaults for everything else`, () => {
    assert.equal(parse({}), null);
    assert.deepEqual(parse(PROVIDER), {
      ...{ issuer: 'https://login.example/realm', clientId: 'tradepost', clientSecret: 'hidden' },
      ...{ name: 'single sign-on', roleClaim: role, merchantClaim: merchant, only: false },
    });
    const further = { NAME: 'Alpine ID', ROLE_CLAIM: 'roles', ONLY: 'on' };
    const { name, roleClaim, only } = parse({ ...PROVIDER, ...further }) ?? assert.fail();
    assert.deepEqual([name, roleClaim, only], ['Alpine ID', 'roles', true]);
  });

  it(`${prefix}… are all set or none, and never shown`, () => {
    for (const left of Object.keys(PROVIDER)) {
      const some = Object.fromEntries(Object.entries(PROVIDER).filter(([name]) => name !== left));
      assert.throws(
        () => parse(some),
        (error) => {
          assert(error instanceof SettingError);
          assert.match(error.message, /belong together: set all or none/);
          return !error.message.includes('hidden');
        },
      );
    }
    for (const alone of [{ ONLY: 'on' }, { NAME: 'Alpine ID' }, { ROLE_CLAIM: 'roles' }])
      assert.throws(() => parse(alone), SettingError);
    assert.throws(() => parse({ ...PROVIDER, ONLY: 'yes' }), SettingError);
  });

  it(`${prefix}ISSUER is https, or http on this machine`, () => {
    for (const ISSUER of ['http://127.0.0.1:9000', 'http://localhost', 'http://[::1]:1/a'])
      assert.equal(parse({ ...PROVIDER, ISSUER })?.issuer, ISSUER);
    for (const ISSUER of [
      'http://login.example',
      'http://127.0.0.1.login.example',
      'ftp://login.example',
      'login.example',
      'https://user:password@login.example',
      'https://login.example/?a',
    ])
      assert.throws(() => parse({ ...PROVIDER, ISSUER }), SettingError, ISSUER);
  });
}

it('SELF_REGISTRATION needs passwords', () => {
  const only = {
    MERCHANT_OIDC_ISSUER: 'https://login.example',
    MERCHANT_OIDC_CLIENT_ID: 'tradepost',
    MERCHANT_OIDC_CLIENT_SECRET: 'hidden',
    MERCHANT_OIDC_ONLY: 'on',
  };
  assert.throws(() => parseConfig({ ...only, SELF_REGISTRATION: 'on' }), SettingError);
  assert.equal(parseConfig(only).selfRegistration, false);
});

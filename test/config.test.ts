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

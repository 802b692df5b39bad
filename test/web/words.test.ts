import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPerson, wordAuthor } from '../../web/format/author.ts';
import { wordType } from '../../web/operator/campaigns/type-words.ts';
import { wordEventType } from '../../web/operator/events/type-words.ts';

describe('who did something', () => {
  it('is a person with a name and an email, or something else', () => {
    assert.deepEqual(readPerson('Ada Miller <ada@example.com>'), {
      name: 'Ada Miller',
      email: 'ada@example.com',
    });
    assert.deepEqual(readPerson('A <b@c> <ada@example.com>'), { name: 'A <b@c>', email: 'ada@example.com' });
    for (const text of ['', 'op-3', '12-t3', 'Ada Miller', '<ada@example.com>'])
      assert.equal(readPerson(text), undefined);
  });

  it('is worded for people', () => {
    const words: [author: string, words: string][] = [
      ['operator Ada Miller <ada@example.com>', 'Operator Ada Miller (ada@example.com)'],
      ['Ada Miller <ada@example.com>', 'Ada Miller (ada@example.com)'],
      ['key 12-3', 'Key 12-3'],
      ['operator', 'Operator'],
      ['Tradepost', 'Tradepost'],
      ['keynote', 'keynote'],
    ];
    for (const [author, expected] of words) assert.equal(wordAuthor(author), expected);
  });
});

describe('the type of an event', () => {
  it('is worded for people', () => {
    assert.equal(wordEventType('campaign.created'), 'Campaign created');
    assert.equal(wordEventType('campaign.low_budget'), 'Campaign low budget');
  });
});

describe('the type of a campaign', () => {
  it('is worded for people if it is a name of software, and stays as it is otherwise', () => {
    const words: [type: string, words: string][] = [
      ['AuctionCampaign', 'Auction campaign'],
      ['Banner', 'Banner'],
      ['CPC', 'CPC'],
      ['T', 'T'],
      ['spring sale', 'spring sale'],
      ['Émile', 'Émile'],
    ];
    for (const [type, expected] of words) assert.equal(wordType(type), expected);
  });
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { ClientResponse } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

describe('values of parameters', () => {
  const service = useService(sqlite);
  let merchant: TestMerchant;
  before(async () => {
    merchant = await service().newMerchant();
  });

  const list = (query: Record<string, string>): Promise<ClientResponse> =>
    service().get('/products.json', merchant, query);
  const post = (path: string, method: string, members: string): Promise<ClientResponse> =>
    service().request(method, path, {
      body: `{"access_token": "${merchant.token}", ${members}}`,
      headers: { 'content-type': 'application/json' },
    });
  const listJson = (members: string): Promise<ClientResponse> => post('/products.json', 'GET', members);
  const budget = (value: string): Promise<ClientResponse> =>
    post('/campaigns.json', 'POST', `"name": "N", "type": "T", "daily_budget": ${value}`);

  it('200: int32 accepts an optional sign and digits', async () => {
    for (const page of ['1', '+1', '01', '2147483647', '+0000000000000000001']) {
      assert.equal((await list({ page })).status, 200, page);
    }
    for (const page of ['1', '2147483647', '"1"', '"+1"']) {
      assert.equal((await listJson(`"page": ${page}`)).status, 200, page);
    }
  });

  it('400: int32 accepts nothing else', async () => {
    for (const page of [
      '0',
      '-1',
      '2147483648',
      '99999999999999999999',
      '1.0',
      '1e0',
      '0x1',
      ' 1',
      '1 ',
      '１',
      '--1',
      'NaN',
      '1,000',
    ]) {
      expectError(await list({ page }), 400, /^page: expected a whole number from 1 to 2147483647, not /);
    }
    for (const page of ['0', '-1', '1.5', '1.0', '1e0', 'true', 'false', '"x"']) {
      expectError(await listJson(`"page": ${page}`), 400, /^page: expected a whole number/);
    }
  });

  it('200 or 400: per_page accepts 1 to 1000, and the error states the maximum', async () => {
    for (const per_page of ['1', '1000']) assert.equal((await list({ per_page })).status, 200);
    for (const per_page of ['0', '1001', '-5']) {
      expectError(
        await list({ per_page }),
        400,
        `per_page: expected a whole number from 1 to 1000, not "${per_page}".`,
      );
    }
  });

  it('200 or 400: boolean accepts true, false, 1 and 0 in any letter case, and nothing else', async () => {
    const isSummary = async (response: Promise<ClientResponse>): Promise<boolean> => {
      const { status, text } = await response;
      assert.equal(status, 200, text);
      return text.startsWith('{');
    };
    for (const yes of ['true', 'TRUE', 'True', 'tRuE', '1'])
      assert.equal(await isSummary(list({ pagination: yes })), true);
    for (const no of ['false', 'FALSE', '0', ''])
      assert.equal(await isSummary(list({ pagination: no })), false);
    for (const yes of ['true', '1', '"true"', '"1"'])
      assert.equal(await isSummary(listJson(`"pagination": ${yes}`)), true);
    for (const no of ['false', '0', '"FALSE"', 'null'])
      assert.equal(await isSummary(listJson(`"pagination": ${no}`)), false);
    for (const pagination of ['yes', 'on', 't', '2', '01', '1.0', '-0', 'null']) {
      expectError(
        await list({ pagination }),
        400,
        `pagination: expected true, false, 1 or 0, not "${pagination}".`,
      );
    }
    for (const value of ['2', '1.0', '"on"'])
      expectError(await listJson(`"pagination": ${value}`), 400, /^pagination: /);
  });

  it('200: float accepts the syntax of JSON numbers, and returns an equal number', async () => {
    const numbers = [
      '0',
      '-0',
      '0.1',
      '12.50',
      '1e3',
      '1E+3',
      '1.5e-7',
      '123456789.123456789',
      '1.7976931348623157e308',
      '5e-324',
    ];
    for (const number of numbers) {
      for (const value of [number, `"${number}"`]) {
        const response = await budget(value);
        assert.equal(response.status, 200, `${value}: ${response.text}`);
        assert.equal(response.json<{ daily_budget: number }>().daily_budget, Number(number) + 0);
      }
    }
  });

  it('400: float accepts nothing else', async () => {
    for (const text of [
      '-1',
      '-0.01',
      '+1',
      '.5',
      '5.',
      '01',
      '1,5',
      '1_000',
      '1e400',
      '-1e400',
      'Infinity',
      'NaN',
      '0x10',
      ' 1',
      '1 ',
      '$5',
      '1e',
    ]) {
      expectError(
        await budget(JSON.stringify(text)),
        400,
        /^daily_budget: expected a number that is 0 or more/,
      );
    }
    for (const value of ['-1', '1e400', 'true', 'false']) {
      expectError(await budget(value), 400, /^daily_budget: expected a number that is 0 or more/);
    }
  });

  it('400: rejects JSON numbers and booleans for text parameters', async () => {
    const number = await post('/campaigns.json', 'POST', '"name": 5, "type": true');
    expectError(
      number,
      400,
      /^name: expected text of 1 to 255 characters.* type: expected text of 1 to 100 characters/,
    );
    expectError(
      await listJson('"status": 1, "sort": 1, "category": 1'),
      400,
      /^status: .* category: .* sort: /,
    );
  });

  it('400: enumerated values are case-sensitive, and not trimmed', async () => {
    for (const query of [
      { status: 'Enabled' },
      { status: ' enabled' },
      { sort: 'SALES_ASCENDING' },
      { sort: 'sales' },
    ]) {
      expectError(await list(query), 400, /expected one of /);
    }
  });

  it('200 or 400: category accepts one or two nonempty levels', async () => {
    for (const category of ['A', 'A|B', ' A |  B ', 'A | B'])
      assert.equal((await list({ category })).status, 200);
    for (const category of ['A | B | C', '|', 'A |', '| B', 'A || B', ' | ']) {
      expectError(await list({ category }), 400, /^category: expected one or two category levels/);
    }
  });
});

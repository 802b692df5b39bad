import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { documentOf } from '../support/openapi.ts';
import { SchemaCheck } from '../support/schema-check.ts';
import { type TestMerchant, useService } from '../support/service.ts';

describe('the header Tradepost-Problems', () => {
  const service = useService(sqlite);
  let merchant: TestMerchant;
  let check: SchemaCheck;
  before(async () => {
    merchant = await service().newMerchant();
    check = new SchemaCheck(await documentOf(service()));
  });

  const send = async (
    path: string,
    wants: string | null,
    options: RequestOptions = {},
  ): Promise<ClientResponse> => {
    const method = options.json === undefined ? 'GET' : 'POST';
    const headers = {
      authorization: `Bearer ${merchant.token}`,
      ...(wants !== null && { 'tradepost-problems': wants }),
    };
    const response = await service().request(method, path, { ...options, headers });
    check.assertValid('#/components/schemas/Error', response.json());
    return response;
  };

  it('with true, errors say what is wrong with each field, next to the same message', async () => {
    const path = '/products?per_page=1001&page=0';
    const { message, problems } = (await send(path, 'true')).json<{
      message: string;
      problems: object[];
    }>();
    assert.equal(message, (await send(path, null)).message);
    assert.deepEqual(
      problems.map((problem) => Object.keys(problem)),
      [
        ['field', 'reason'],
        ['field', 'reason'],
      ],
    );
    const described = problems.map((problem) => Object.values(problem).join(': '));
    assert.equal(message, `${described.join('. ')}.`);
  });

  it('names the fields of entries of nested parameters', async () => {
    const json = { identifier: 'A', title: 'T', variations: [{ identifier: 'A-S', quantity: -1 }] };
    const { problems } = (await send('/products', 'true', { json })).json<{
      problems: { field: string }[];
    }>();
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['variations[0][quantity]'],
    );
  });

  it('lists parameters that are not recognized, up to 100', async () => {
    const { problems } = (await send('/products?colour=red', 'true')).json<{ problems: object[] }>();
    assert.deepEqual(problems, [{ field: 'colour', reason: 'not recognized' }]);
    const json = Object.fromEntries(Array.from({ length: 150 }, (_, number) => [`n${number}`, 1]));
    const many = (await send('/campaigns', 'true', { json })).json<{ problems: object[] }>();
    assert.equal(many.problems.length, 100);
  });

  it('changes nothing if the error is about no field, or the value is something else', async () => {
    const missing = await send('/variations/retrieve?identifier=nothing', 'true');
    assert.deepEqual(Object.keys(missing.json<object>()), ['message']);
    for (const value of ['false', '1', 'True', null])
      assert.deepEqual(Object.keys((await send('/products?page=0', value)).json<object>()), ['message']);
  });

  it('works in the operator API too', async () => {
    const token = await service().newOperatorToken();
    const headers = { 'tradepost-problems': 'true' };
    const { problems } = (await service().operator('GET', '/merchants?limit=0', token, { headers })).json<{
      problems: { field: string }[];
    }>();
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['limit'],
    );
  });
});

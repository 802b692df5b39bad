import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { listAudit } from '../../src/audit/list-audit.ts';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { statement } from '../../src/database/statement.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';

const listEvents = statement<{ merchantId: number }, { type: string; data: string }>(
  `SELECT type, data FROM outbox WHERE merchant_id = :merchantId
   UNION ALL SELECT type, data FROM events WHERE merchant_id = :merchantId`,
);

/** The digits of eight slots as a record shows them. */
const slots = (digits: string): Record<string, number> =>
  Object.fromEntries([...digits].map((digit, slot) => [String(slot), Number(digit)]));

forEachEngine((engine) => {
  const service = useService(engine);
  let merchant: TestMerchant;
  before(async () => {
    merchant = await service().newMerchant();
  });

  const form = (path: string, fields: Record<string, string>): Promise<ClientResponse> =>
    service().request('POST', path, { form: { access_token: merchant.token, ...fields } });
  const json = (path: string, fields: object): Promise<ClientResponse> =>
    service().request('POST', path, { json: { access_token: merchant.token, ...fields } });
  const accepted = (response: ClientResponse): Campaign => {
    assert.equal(response.status, 200, response.text);
    const campaign = response.json<Campaign>();
    assert.equal(Object.keys(campaign).at(-1), 'hourly_schedule');
    return campaign;
  };
  const create = async (hourly_schedule?: unknown): Promise<Campaign> =>
    accepted(await json('/campaigns', { name: 'N', type: 'T', hourly_schedule }));

  it('200: a new campaign competes in each slot that is not sent, and always without a schedule', async () => {
    const named = { name: 'N', type: 'T' };
    for (const [sent, expected] of [
      [{ 'hourly_schedule[0]': '0', 'hourly_schedule[7]': '0' }, '01111110'],
      [{ 'hourly_schedule[3]': '1', 'hourly_schedule[4]': '' }, '11111111'],
    ] as const) {
      assert.deepEqual(
        accepted(await form('/campaigns', { ...named, ...sent })).hourly_schedule,
        slots(expected),
      );
      const fields: [string, string][] = Object.entries({ access_token: merchant.token, ...named, ...sent });
      for (const response of [
        await service().request('POST', '/campaigns', { multipart: fields }),
        await service().request('POST', `/campaigns?${new URLSearchParams(fields)}`),
      ])
        assert.deepEqual(accepted(response).hourly_schedule, slots(expected));
    }
    for (const [sent, expected] of [
      [{ 0: 0, 7: '0' }, '01111110'],
      [{}, '11111111'],
      [{ 2: null, 5: 0 }, '11111011'],
      // What PHP makes of eight keys in order.
      [[0, 0, 1, 1, 1, 1, 1, 0], '00111110'],
      [[0], '01111111'],
    ] as const)
      assert.deepEqual((await create(sent)).hourly_schedule, slots(expected));
    for (const none of [undefined, null, '']) assert.equal((await create(none)).hourly_schedule, null);
    const blank = await form('/campaigns', { ...named, hourly_schedule: '' });
    assert.equal(accepted(blank).hourly_schedule, null);
  });

  it('200: an update changes the sent slots, keeps the others, and null clears all', async () => {
    const { internal_id } = await create();
    const steps: [sent: unknown, expected: string | null][] = [
      [undefined, null],
      [{}, null],
      [{ 1: 0 }, '10111111'],
      [{ 2: 0, 1: 1 }, '11011111'],
      [undefined, '11011111'],
      [slots('00001111'), '00001111'],
      [[1], '10001111'],
      [null, null],
      [null, null],
      [{ 7: 0 }, '11111110'],
    ];
    for (const [hourly_schedule, expected] of steps) {
      const updated = accepted(await json('/campaigns/update', { internal_id, hourly_schedule }));
      assert.deepEqual(updated.hourly_schedule, expected === null ? null : slots(expected));
      const read = await service().get('/campaigns/retrieve', merchant, { internal_id });
      assert.deepEqual(read.json(), updated);
      assert.deepEqual(
        accepted(await json('/campaigns/update', updated)),
        updated,
        'the record as it was read',
      );
    }
    const sent = { internal_id, 'hourly_schedule[6]': '0', 'hourly_schedule[7]': '' };
    assert.deepEqual(accepted(await form('/campaigns/update', sent)).hourly_schedule, slots('11111100'));
    const paused = accepted(await json('/campaigns/pause', { internal_id }));
    assert.deepEqual(paused.hourly_schedule, slots('11111100'));
  });

  it('400: a wrong slot or value is named with what was expected, and nothing changes', async () => {
    const campaign = await create({ 0: 0 });
    const { internal_id } = campaign;
    const names = 'expected one of the names 0, 1, 2, 3, 4, 5, 6, 7.';
    const expectRefused = async (message: string, fields: Record<string, string>): Promise<void> => {
      expectError(await form('/campaigns/update', { internal_id, ...fields }), 400, message);
      expectError(await form('/campaigns', { name: 'N', type: 'T', ...fields }), 400, message);
    };
    await expectRefused(`hourly_schedule[9]: ${names}`, { 'hourly_schedule[9]': '1' });
    await expectRefused(`hourly_schedule[8]: ${names}`, { 'hourly_schedule[8]': '' });
    await expectRefused(`hourly_schedule[00]: ${names}`, { 'hourly_schedule[00]': '1' });
    await expectRefused('hourly_schedule[3]: expected 0 or 1, not "2".', { 'hourly_schedule[3]': '2' });
    await expectRefused('hourly_schedule[3]: expected 0 or 1, not "true".', { 'hourly_schedule[3]': 'true' });
    await expectRefused('hourly_schedule[0][on]: expected a name such as hourly_schedule[0].', {
      'hourly_schedule[0][on]': '1',
    });
    await expectRefused('hourly_schedule[]: expected a name such as hourly_schedule[0].', {
      'hourly_schedule[]': '1',
    });
    await expectRefused('hourly_schedule: expected an object.', { hourly_schedule: '1' });
    for (const [hourly_schedule, message] of [
      [{ 9: 1, 3: 0.5 }, `hourly_schedule[9]: ${names} hourly_schedule[3]: expected 0 or 1, not "0.5".`],
      [{ constructor: 1 }, `hourly_schedule[constructor]: ${names}`],
      [{ 0: true }, 'hourly_schedule[0]: expected 0 or 1, not "true".'],
      [{ 0: [1] }, 'hourly_schedule[0]: expected 0 or 1, not a list or an object.'],
      [Array(9).fill(1), `hourly_schedule[8]: ${names}`],
      [5, 'hourly_schedule: expected an object.'],
    ] as const) {
      // Members whose names are numbers come first.
      const sorted = message.split('. ').toSorted();
      for (const response of [
        await json('/campaigns/update', { internal_id, hourly_schedule }),
        await json('/campaigns', { name: 'N', type: 'T', hourly_schedule }),
      ]) {
        assert.equal(response.status, 400);
        assert.deepEqual(response.message.split('. ').toSorted(), sorted);
      }
    }
    const repeated = await service().request('POST', '/campaigns/update?hourly_schedule[0]=1', {
      json: { access_token: merchant.token, internal_id, hourly_schedule: { 0: 0 } },
    });
    expectError(repeated, 400, 'hourly_schedule[0]: given more than once, with different values.');
    const read = await service().get('/campaigns/retrieve', merchant, { internal_id });
    assert.deepEqual(read.json(), campaign);
  });

  it('lists, changes, the operator’s changes, events, exports and the audit log carry it', async () => {
    const own = await service().newMerchant();
    const call = async (path: string, fields: object): Promise<Campaign> =>
      accepted(await service().request('POST', path, { json: { access_token: own.token, ...fields } }));
    const { internal_id } = await call('/campaigns', { name: 'N', type: 'T', hourly_schedule: { 0: 0 } });
    const campaign = await call('/campaigns/update', { internal_id, hourly_schedule: { 1: 0 } });
    assert.deepEqual((await service().get('/campaigns', own)).json(), [campaign]);
    const changes = await service().get('/campaigns', own, { changed_since: 'start' });
    assert.deepEqual(changes.json<{ results: Campaign[] }>().results, [campaign]);
    assert.deepEqual(await campaignsOf(service(), own), [campaign]);
    const events = await service().database.all(listEvents, { merchantId: own.id });
    const schedules = events
      .filter(({ type }) => type.startsWith('campaign.'))
      .map(({ data }) => (JSON.parse(data) as Campaign).hourly_schedule);
    assert.deepEqual(
      new Set(schedules.map((schedule) => JSON.stringify(schedule))),
      new Set(['01111111', '00111111'].map((digits) => JSON.stringify(slots(digits)))),
    );
    const operator = await service().newOperatorToken();
    const path = `/merchants/${own.id}/campaigns`;
    const changed = await service().operator('GET', `${path}?changed_since=start`, operator);
    assert.deepEqual(changed.json<{ results: Campaign[] }>().results, [campaign], changed.text);
    const cleared = await call('/campaigns/update', { internal_id, hourly_schedule: null });
    assert.equal(cleared.hourly_schedule, null);
    const entries = await listAudit(service().database, own.id, { limit: 2 });
    assert.deepEqual(
      entries.map(({ subject }) => subject),
      ['N: hourly_schedule always', 'N: hourly_schedule 00111111'],
    );
  });
});

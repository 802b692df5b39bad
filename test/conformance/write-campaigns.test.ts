import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { lockCampaign } from '../../src/campaigns/queries.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { expectError, unrecognized } from '../support/expect.ts';
import type { TestMerchant } from '../support/service.ts';
import { useTwoNodes } from '../support/two-nodes.ts';

type Action = 'pause' | 'resume' | 'end';

const actions = ['pause', 'resume', 'end'] as const;
/** The calls that lead to each status. */
const ways: Record<string, Action[]> = { Active: [], Paused: ['pause'], Expired: ['end'] };
const amounts = {
  daily_budget: 12.5,
  bid_amount: 0.1,
  daily_budget_per_product: 1e-7,
  lifetime_budget: 1e15,
  lifetime_budget_per_product: 3,
};

forEachEngine((engine) => {
  const nodes = useTwoNodes(engine);
  const post = (
    { token }: { token: string },
    path: string,
    members: object,
    { node = 0, ...sent }: RequestOptions & { node?: 0 | 1 } = {},
  ): Promise<ClientResponse> =>
    nodes()[node].request('POST', path, { ...sent, json: { access_token: token, ...members } });
  const accepted = (response: ClientResponse): Campaign => {
    assert.equal(response.status, 200, response.text);
    return response.json<Campaign>();
  };
  const update = (merchant: TestMerchant, members: object): Promise<ClientResponse> =>
    post(merchant, '/campaigns/update', members);
  const act = (merchant: TestMerchant, action: Action, internal_id: string): Promise<ClientResponse> =>
    post(merchant, `/campaigns/${action}`, { internal_id });
  const retrieve = (merchant: TestMerchant, id: string, node: 0 | 1 = 1): Promise<ClientResponse> =>
    nodes()[node].get('/campaigns/retrieve', merchant, { internal_id: id });

  async function newCampaign(status = 'Active'): Promise<{ merchant: TestMerchant; campaign: Campaign }> {
    const merchant = await nodes()[0].newMerchant();
    let campaign = accepted(await post(merchant, '/campaigns', { name: 'N', type: 'T', ...amounts }));
    for (const action of ways[status] ?? []) {
      campaign = accepted(await act(merchant, action, campaign.internal_id));
    }
    assert.equal(campaign.status, status);
    return { merchant, campaign };
  }

  it('200: an update changes what is sent, keeps what is missing or blank, and clears amounts that are null', async () => {
    const { merchant, campaign } = await newCampaign();
    const { internal_id: id } = campaign;
    const steps: [sent: object, changed: Partial<Campaign>][] = [
      [{ name: 'Größe & "more"' }, { name: 'Größe & "more"' }],
      [
        { name: '', daily_budget: ' ', bid_amount: 0 },
        { name: 'Größe & "more"', bid_amount: 0 },
      ],
      [
        { daily_budget: null, lifetime_budget: null, bid_amount: '2.50' },
        { daily_budget: null, lifetime_budget: null, bid_amount: 2.5 },
      ],
      [
        { bid_amount: null, daily_budget_per_product: null, lifetime_budget_per_product: null },
        { bid_amount: null, daily_budget_per_product: null, lifetime_budget_per_product: null },
      ],
      [amounts, amounts],
    ];
    let expected = campaign;
    for (const [sent, changed] of steps) {
      for (const node of nodes()) node.passTime(1500);
      const updated_at = formatTime(nodes()[0].now());
      expected = { ...expected, ...changed, updated_at };
      const response = await update(merchant, { internal_id: id, ...sent });
      assert.equal(response.text, JSON.stringify(expected));
      assert.equal((await retrieve(merchant, id)).text, response.text);
    }
  });

  it('200: accepts updates and status changes in the query, a form, JSON and multipart', async () => {
    const { merchant, campaign } = await newCampaign();
    const { internal_id } = campaign;
    const [node] = nodes();
    for (const [path, member, field] of [
      ['/campaigns/update', { bid_amount: '7.5' }, 'bid_amount'],
      ['/campaigns/pause', {}, 'status'],
    ] as const) {
      const data = { access_token: merchant.token, internal_id, ...member };
      for (const response of [
        await node.request('POST', `${path}?${new URLSearchParams(data)}`),
        await node.request('POST', path, { form: data }),
        await node.request('POST', `${path}.json`, { json: data }),
        await node.request('POST', path, { multipart: Object.entries(data) }),
      ]) {
        assert.equal(accepted(response)[field], field === 'status' ? 'Paused' : 7.5);
      }
    }
  });

  it('400: an update names every invalid value, and changes nothing', async () => {
    const { merchant, campaign } = await newCampaign();
    const { internal_id } = campaign;
    expectError(
      await update(merchant, {
        internal_id,
        name: null,
        daily_budget: -1,
        bid_amount: 'x',
        lifetime_budget: 2,
      }),
      400,
      /^name: expected .*not null\. daily_budget: expected .* bid_amount: expected [^.]*\.5, not "x"\.$/,
    );
    expectError(await update(merchant, { internal_id, name: 'x'.repeat(256) }), 400, /^name: .*255/);
    expectError(await update(merchant, { internal_id, colour: 'red' }), 400, unrecognized('colour'));
    for (const path of ['update', ...actions]) {
      expectError(
        await post(merchant, `/campaigns/${path}`, { name: undefined }),
        400,
        /^internal_id: missing/,
      );
    }
    assert.deepEqual((await retrieve(merchant, internal_id)).json(), campaign);
  });

  it('200: a record that is sent back as it was read changes nothing, in every status', async () => {
    for (const status of Object.keys(ways)) {
      const { merchant, campaign } = await newCampaign(status);
      for (const node of nodes()) node.passTime(1000);
      assert.deepEqual(accepted(await update(merchant, campaign)), campaign);
      assert.deepEqual((await retrieve(merchant, campaign.internal_id)).json(), campaign);
    }
  });

  it('400: another value of a read-only field is refused by name, and nothing changes', async () => {
    const { merchant, campaign } = await newCampaign();
    const others = {
      type: 'Other',
      status: 'Paused',
      created_at: '2020-01-01T00:00:00Z',
      updated_at: 'yesterday',
    };
    for (const [name, value] of Object.entries(others)) {
      const sent = { ...campaign, name: 'New', [name]: value };
      expectError(await update(merchant, sent), 400, new RegExp(`^${name}: read-only: [^.]+\\.$`));
      expectError(await update(merchant, { ...sent, [name]: null }), 400, new RegExp(`^${name}: .*not null`));
    }
    const all = await update(merchant, { ...campaign, ...others });
    expectError(all, 400, /^type: .* status: .* created_at: .* updated_at: .*$/);
    assert.deepEqual((await retrieve(merchant, campaign.internal_id)).json(), campaign);
  });

  it('200: pause, resume and end set the status; repeating them changes nothing', async () => {
    const next = { pause: 'Paused', resume: 'Active', end: 'Expired' };
    const limits = { pause: 'paused', resume: 'no_products', end: 'ended' };
    for (const status of ['Active', 'Paused']) {
      for (const action of actions) {
        const { merchant, campaign } = await newCampaign(status);
        for (const node of nodes()) node.passTime(2000);
        const changed = accepted(await act(merchant, action, campaign.internal_id));
        const updated_at = next[action] === status ? campaign.updated_at : formatTime(nodes()[0].now());
        const limited_by = limits[action];
        assert.deepEqual(changed, { ...campaign, status: next[action], limited_by, updated_at });
        for (const node of nodes()) node.passTime(2000);
        assert.deepEqual(accepted(await act(merchant, action, campaign.internal_id)), changed);
        assert.deepEqual((await retrieve(merchant, campaign.internal_id)).json(), changed);
      }
    }
  });

  it('400: an expired campaign cannot be changed, and the message says so; ending it again returns it', async () => {
    const { merchant, campaign } = await newCampaign('Expired');
    const { internal_id: id } = campaign;
    const message = `internal_id: the campaign ${id} is expired and cannot be changed.`;
    for (const response of [
      await update(merchant, { internal_id: id, name: 'New' }),
      await update(merchant, { internal_id: id, bid_amount: null }),
      await act(merchant, 'pause', id),
      await act(merchant, 'resume', id),
    ]) {
      expectError(response, 400, message);
    }
    assert.deepEqual(accepted(await act(merchant, 'end', id)), campaign);
    assert.deepEqual((await retrieve(merchant, id)).json(), campaign);
  });

  it('404: an unknown campaign and another merchant’s get the same message, and nothing changes', async () => {
    const { merchant, campaign } = await newCampaign();
    const stranger = await nodes()[0].newMerchant();
    for (const id of [campaign.internal_id, 'none', 'x'.repeat(1000), `${campaign.internal_id} `]) {
      const message = `There is no campaign with the unique ID ${id}.`;
      expectError(await retrieve(stranger, id), 404, message);
      expectError(await update(stranger, { internal_id: id, name: 'Mine' }), 404, message);
      for (const action of actions) expectError(await act(stranger, action, id), 404, message);
    }
    assert.deepEqual((await retrieve(merchant, campaign.internal_id)).json(), campaign);
  });

  it('200: with an Idempotency-Key, a repeated call returns the first response and changes nothing', async () => {
    const { merchant, campaign } = await newCampaign();
    const { internal_id } = campaign;
    for (const [path, members] of [
      ['update', { name: 'Once' }],
      ['pause', {}],
      ['resume', {}],
      ['end', {}],
    ] as const) {
      const call = (node: 0 | 1) =>
        post(
          merchant,
          `/campaigns/${path}`,
          { internal_id, ...members },
          {
            node,
            headers: { 'idempotency-key': path },
          },
        );
      const first = await call(0);
      assert.equal(first.status, 200);
      if (path === 'update') accepted(await update(merchant, { internal_id, name: 'Later' }));
      if (path === 'pause') accepted(await act(merchant, 'resume', internal_id));
      const before = (await retrieve(merchant, internal_id)).text;
      assert.equal((await call(1)).text, first.text, path);
      assert.equal((await retrieve(merchant, internal_id)).text, before);
    }
    const headers = { 'idempotency-key': 'pause' };
    const other = await post(merchant, '/campaigns/end', { internal_id }, { headers });
    expectError(other, 400, /^Idempotency-Key: .*different request/);
  });

  it('200: of simultaneous updates on two nodes, each is applied as a whole, one after the other', async () => {
    const { merchant, campaign } = await newCampaign();
    const { internal_id } = campaign;
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, index) => {
        const all = { name: `Name ${index}`, daily_budget: index, lifetime_budget: index };
        const one = { bid_amount: 100 };
        const members = index % 3 === 2 ? one : all;
        return post(
          merchant,
          '/campaigns/update',
          { internal_id, ...members },
          { node: index % 2 === 0 ? 0 : 1 },
        );
      }),
    );
    const last = (await retrieve(merchant, internal_id)).json<Campaign>();
    for (const shown of [...responses.map(accepted), last]) {
      const { name, daily_budget, lifetime_budget } = shown;
      if (name !== campaign.name) {
        assert.deepEqual([name, lifetime_budget], [`Name ${daily_budget}`, daily_budget]);
      }
    }
    assert.equal(last.bid_amount, 100);
  });

  it('200: simultaneous status changes on two nodes are counted exactly once', async () => {
    const { merchant, campaign } = await newCampaign();
    const others = await Promise.all(
      [1, 2, 3].map(async () => accepted(await post(merchant, '/campaigns', { name: 'N', type: 'T' }))),
    );
    const ids = [campaign, ...others].map(({ internal_id }) => internal_id);
    for (const action of ['pause', 'resume', 'pause', 'end'] as const) {
      const calls = ids.flatMap((internal_id, index) =>
        ([0, 1] as const).map((node) =>
          post(merchant, `/campaigns/${index === 0 ? 'pause' : action}`, { internal_id }, { node }),
        ),
      );
      for (const response of await Promise.all(calls)) accepted(response);
      for (const node of nodes()) {
        const totals: Record<string, number> = {};
        for (const status of Object.keys(ways)) {
          const query = { status, pagination: 'true' };
          const page = (await node.get('/campaigns', merchant, query)).json<{
            results: unknown[];
            total_entries: number;
          }>();
          totals[status] = page.total_entries;
          assert.equal(page.results.length, page.total_entries);
        }
        const expected = {
          pause: { Active: 0, Paused: 4, Expired: 0 },
          resume: { Active: 3, Paused: 1, Expired: 0 },
          end: { Active: 0, Paused: 1, Expired: 3 },
        };
        assert.deepEqual(totals, expected[action]);
      }
    }
  });

  // A transaction on SQLite locks the whole file.
  if (engine === sqlite) return;

  it('200: a merchant’s campaigns are created and changed while another one of theirs is locked', async () => {
    const { merchant, campaign } = await newCampaign();
    const other = accepted(await post(merchant, '/campaigns', { name: 'Other', type: 'T' }));
    await nodes()[0].database.transaction(async (connection) => {
      const locked = { merchantId: merchant.id, id: campaign.internal_id };
      assert.notEqual(await connection.first(lockCampaign, locked), undefined);
      accepted(await post(merchant, '/campaigns', { name: 'New', type: 'T' }));
      accepted(await act(merchant, 'pause', other.internal_id));
      accepted(await update(merchant, { internal_id: other.internal_id, name: 'Changed' }));
    });
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { forEachEngine } from '../support/engines.ts';
import { untilNumbered } from '../support/events.ts';
import { createKey } from '../support/keys.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const setLease = statement<{ holder: string; end: number }, never>(
  'UPDATE event_feed SET holder = :holder, lease_until = :end',
);

interface Figure {
  name: string;
  values: { value: number }[];
}

forEachEngine((engine) => {
  const service = useService(engine);
  const read = async (name: string): Promise<number | undefined> => {
    const figures = (await service().health.metrics()).flat() as Figure[];
    return figures.find((figure) => figure.name === `tradepost_${name}`)?.values[0]?.value;
  };
  const newEvent = async (): Promise<void> => {
    const { id } = await service().newMerchant();
    await createKey(service(), { merchantId: id, name: 'K', expiresAt: null });
  };
  const setHolder = (holder: string, end: number): Promise<number> =>
    service().database.transaction((connection) => connection.run(setLease, { holder, end }));

  it('metrics tell how many events wait, for how long, and which process numbers them', async () => {
    await newEvent();
    await untilNumbered(service());
    assert.equal(await read('event_lease'), 1);
    const before = (await read('events_total')) ?? Number.NaN;
    assert.ok(before >= 3);
    await setHolder('another process that hangs', (Date.now() + 40_000) * 1000);
    await newEvent();
    await until(async () => ((await read('outbox_events')) ?? 0) >= 3);
    assert.equal(await read('event_lease'), 0);
    await until(async () => ((await read('outbox_seconds')) ?? 0) > 1);
    await setHolder('another process that hangs', 0);
    await untilNumbered(service());
    assert.equal(await read('event_lease'), 1);
    await until(async () => (await read('outbox_events')) === 0 && (await read('outbox_seconds')) === 0);
    assert.equal(await read('events_total'), before + 3);
  });
});

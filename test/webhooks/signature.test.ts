import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { newSecret, signatureHeaders } from '../../src/webhooks/signature.ts';
import { fc } from '../support/seed.ts';

describe('signatures', () => {
  const now = (): number => Math.floor(Date.now() / 1000);

  it('are accepted by the standardwebhooks package, for any body', () => {
    const secret = newSecret();
    fc.assert(
      fc.property(fc.json(), fc.uuid(), (body, id) => {
        const headers = signatureHeaders({ id, timestamp: now(), body }, [secret]);
        assert.deepEqual(new StandardWebhook(secret).verify(body, headers), JSON.parse(body));
      }),
    );
  });

  it('are accepted with each of two secrets, and with no other', () => {
    const [one, other, third] = [newSecret(), newSecret(), newSecret()];
    const headers = signatureHeaders({ id: 'evt_1', timestamp: now(), body: '{}' }, [one, other]);
    for (const secret of [one, other]) new StandardWebhook(secret).verify('{}', headers);
    assert.throws(() => new StandardWebhook(third).verify('{}', headers), /No matching signature/);
  });

  it('are refused for another body, id or timestamp', () => {
    const secret = newSecret();
    const headers = signatureHeaders({ id: 'evt_1', timestamp: now(), body: '{}' }, [secret]);
    const webhook = new StandardWebhook(secret);
    assert.throws(() => webhook.verify('{ }', headers));
    assert.throws(() => webhook.verify('{}', { ...headers, 'webhook-id': 'evt_2' }));
    assert.throws(() => webhook.verify('{}', { ...headers, 'webhook-timestamp': String(now() - 1) }));
  });
});

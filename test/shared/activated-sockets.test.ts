import assert from 'node:assert/strict';
import { it } from 'node:test';
import { activatedSockets } from '../../src/shared/activated-sockets.ts';

it('finds the sockets that systemd passed to this process, by their names', () => {
  const sockets = (variables: Record<string, string>, pid = 7): object => activatedSockets(variables, pid);
  assert.deepEqual(sockets({}), {});
  assert.deepEqual(sockets({ LISTEN_PID: '7', LISTEN_FDS: '0' }), {});
  assert.deepEqual(sockets({ LISTEN_PID: '7', LISTEN_FDS: '1' }), { api: 3 });
  const named = { LISTEN_PID: '7', LISTEN_FDS: '3', LISTEN_FDNAMES: 'metrics:tradepost.socket:operator' };
  assert.deepEqual(sockets(named), { metrics: 3, api: 4, operator: 5 });
  // Variables of another process, such as the parent.
  assert.deepEqual(sockets(named, 8), {});
});

it('refuses two sockets for the same purpose', () => {
  const variables = { LISTEN_PID: '7', LISTEN_FDS: '2', LISTEN_FDNAMES: 'metrics:metrics' };
  assert.throws(() => activatedSockets(variables, 7), /two sockets with the purpose "metrics"/);
});

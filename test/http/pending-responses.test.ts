import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { addPending, keepPendingOpen } from '../../src/http/connections/pending-responses.ts';

it('spares a connection as long as an answer is owed on it, and forgets it when it closes, told of or not', () => {
  const isSpared = (socket: Socket): boolean => {
    let spared = false;
    keepPendingOpen(() => {
      spared = Object.hasOwn(socket, 'destroy');
    });
    assert.ok(!Object.hasOwn(socket, 'destroy'));
    return spared;
  };
  const owing = (): { socket: Socket; response: ServerResponse } => {
    const socket = new Socket();
    const request = new IncomingMessage(socket);
    const response = new ServerResponse(request);
    addPending(request, response);
    return { socket, response };
  };
  const answered = owing();
  assert.ok(isSpared(answered.socket));
  answered.response.emit('close');
  assert.ok(!isSpared(answered.socket));
  // Node tells the answers of a connection on which CONNECT came nothing of its end.
  const cut = owing();
  assert.ok(isSpared(cut.socket));
  cut.socket.emit('close');
  assert.ok(!isSpared(cut.socket));
});

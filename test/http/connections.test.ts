import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { Connections } from '../../src/http/connections/connections.ts';
import { UnreadableRequests } from '../../src/http/connections/unreadable-requests.ts';
import { startContext } from '../../src/http/request-context.ts';
import { sqlite } from '../support/engines.ts';
import { startTestService } from '../support/service.ts';

it('is busy until every response has been sent or its connection has closed', () => {
  const connections = new Connections();
  const request = (): { socket: Socket; response: ServerResponse } => {
    const socket = new Socket();
    const incoming = new IncomingMessage(socket);
    const response = new ServerResponse(incoming);
    connections.addRequest(incoming, response);
    return { socket, response };
  };
  assert.equal(connections.isBusy, false);
  const finished = request();
  assert.equal(connections.isBusy, true);
  finished.response.emit('close');
  assert.equal(connections.isBusy, false);
  // Node does not notify the responses of a connection after CONNECT.
  const aborted = request();
  assert.equal(connections.isBusy, true);
  aborted.socket.emit('close');
  assert.equal(connections.isBusy, false);
});

it('closes connections after the response in progress, or the next one, once the server starts to shut down', () => {
  const connections = new Connections();
  const response = (): ServerResponse => {
    const incoming = new IncomingMessage(new Socket());
    [incoming.httpVersionMajor, incoming.httpVersionMinor] = [1, 1];
    const created = new ServerResponse(incoming);
    connections.addRequest(incoming, created);
    return created;
  };
  const before = response();
  connections.startClosing();
  assert.deepEqual([before.shouldKeepAlive, response().shouldKeepAlive], [false, false]);
});

it('lets a body that may be slow take longer than the time limit, but no request after it', () => {
  const connections = new Connections();
  const unreadable = new UnreadableRequests(connections, () => undefined);
  const socket = new Socket();
  const sent: string[] = [];
  Object.assign(socket, { writable: true, end: (text: string) => sent.push(text) });
  const upload = new IncomingMessage(socket);
  startContext(upload, { isHttps: true, isConsole: true }).hasSlowBody = true;
  const response = new ServerResponse(upload);
  connections.addRequest(upload, response);
  const timeout = { code: 'ERR_HTTP_REQUEST_TIMEOUT' };
  unreadable.respond(timeout, socket);
  assert.deepEqual(sent, []);
  // The upload is complete and has its response, but the headers of the next request do not arrive.
  upload.complete = true;
  response.emit('close');
  unreadable.respond(timeout, socket);
  assert.match(sent.join(), /^HTTP\/1\.1 408 /);
  socket.destroy();
});

it('responds to all clients that connected before the service stopped, however many still wait to be accepted', async () => {
  const environment = { TLS: 'proxy', TRUST_PROXY: '127.0.0.1', HOST: '127.0.0.1' };
  await using service = await startTestService(sqlite, { environment });
  const port = Number(new URL(service.baseUrl).port);
  // The system connects them at once, and the service accepts one in each iteration of the event loop.
  const responses = Array.from({ length: 30 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.end('GET /metadata HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Proto: https\r\n\r\n');
    return text(socket);
  });
  const stopped = service.stop();
  for (const response of await Promise.all(responses)) assert.match(response, /^HTTP\/1\.1 404 /);
  await stopped;
});

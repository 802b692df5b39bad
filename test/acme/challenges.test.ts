import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { KEPT_MS } from '../../src/acme/challenge-answers.ts';
import { deleteChallenge, upsertChallenge } from '../../src/acme/queries.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { challenged } from './served.ts';

const SLOW_BYTES = 20;
const DIGEST = 'ab'.repeat(32);
const NOBODY = { ACME_DIRECTORY: 'https://127.0.0.1:1/directory', ACME_ACCEPT_TERMS: 'on' };

/** Writes the first bytes one by one. */
function inParts(socket: Socket): Duplex {
  let written = 0;
  const parts = new Duplex({
    read: () => socket.resume(),
    write: async (chunk: Buffer, _encoding, done) => {
      const count = Math.min(chunk.length, Math.max(0, SLOW_BYTES - written));
      written += chunk.length;
      for (const byte of chunk.subarray(0, count)) {
        socket.write(Buffer.of(byte));
        await pause(1);
      }
      socket.write(chunk.subarray(count), done);
    },
  });
  socket.on('data', (chunk) => parts.push(chunk));
  socket.on('end', () => parts.push(null));
  return parts;
}

forEachEngine((engine) => {
  const service = useService(engine, { environment: { TLS: 'acme', ACME_HOSTS: 'shop.example', ...NOBODY } });
  const port = (): number => Number(new URL(service().baseUrl).port);

  describe('the check of an authority (TLS-ALPN-01)', () => {
    it('is answered with the digest in the database while it is there, and with nothing else', async () => {
      await assert.rejects(challenged('shop.example', port()));
      const row = { host: 'shop.example', digest: DIGEST };
      const { database } = service();
      await database.transaction((connection) => connection.run(upsertChallenge, row));
      const socket = await until(() => challenged('Shop.example', port()).catch(() => null));
      assert.equal(socket.alpnProtocol, 'acme-tls/1');
      const certificate = socket.getPeerX509Certificate();
      assert.deepEqual(await socket.toArray(), []);
      assert.equal(certificate?.subjectAltName, 'DNS:shop.example');
      // id-pe-acmeIdentifier, critical, with the digest.
      const extension = `06082b060105050701 1f0101ff0422 0420${DIGEST}`.replaceAll(' ', '');
      assert.ok(certificate.raw.toString('hex').includes(extension));
      await assert.rejects(challenged('other.example', port()));
      await database.transaction((connection) => connection.run(deleteChallenge, row));
      await until(
        () =>
          challenged('shop.example', port()).then(
            () => false,
            () => true,
          ),
        {
          timeoutMs: 10 * KEPT_MS,
        },
      );
    });

    it('leaves other connections alone, also if their first record arrives in parts', async () => {
      const tcp = connectTcp({ host: '127.0.0.1', port: port(), noDelay: true });
      await once(tcp, 'connect');
      const split = connectTls({
        socket: inParts(tcp),
        servername: 'shop.example',
        rejectUnauthorized: false,
      });
      await once(split, 'secureConnect');
      split.write('GET /v1/products.json HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n');
      assert.match(Buffer.concat(await split.toArray()).toString(), /^HTTP\/1\.1 401 /);
    });
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { it, type TestContext } from 'node:test';
import { AccountKey, newPrivateKey, toPem } from '../../src/acme/account-key.ts';
import { Authority } from '../../src/acme/authority.ts';
import { AuthorityConnection } from '../../src/acme/authority-connection.ts';
import { AcmeError } from '../../src/acme/errors.ts';
import { createCertificate } from '../support/certificates.ts';

const BAD_NONCE = {
  type: 'urn:ietf:params:acme:error:badNonce',
  detail: 'JWS has an invalid anti-replay nonce',
};

interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An authority that responds to `newAccount` with these answers in turn: what Pebble never does. */
async function falseAuthority(
  t: TestContext,
  answers: readonly Answer[],
): Promise<{ signIn: () => Promise<void>; posts: () => number }> {
  const pair = await createCertificate('authority');
  let posts = 0;
  const server = createServer(pair, (request, response) => {
    const origin = `https://${request.headers.host}`;
    const directory = { newNonce: `${origin}/nonce`, newAccount: `${origin}/account` };
    const answer =
      request.url === '/directory' ? { status: 200, body: directory } : (answers[posts] ?? assert.fail());
    if (request.method === 'POST') posts += 1;
    const { status, body, headers } =
      request.method === 'HEAD' ? { status: 200 } : { headers: {}, ...answer };
    response.writeHead(status, { 'replay-nonce': `nonce-${posts}`, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  const { signal } = new AbortController();
  const connection = new AuthorityConnection({ ca: pair.cert, signal });
  t.after(() => {
    connection.close();
    server.close();
  });
  const directory = `https://127.0.0.1:${address.port}/directory`;
  const key = new AccountKey(toPem(newPrivateKey()));
  const authority = new Authority({ directory, connection, key, now: () => Date.now(), signal });
  return { signIn: () => authority.signIn('admin@shop.example'), posts: () => posts };
}

const errorOf = (work: Promise<unknown>): Promise<AcmeError> =>
  work.then(
    () => assert.fail('succeeded'),
    (error) => (error instanceof AcmeError ? error : assert.fail(String(error))),
  );

it('refused nonces are replaced, up to ten times', async (t) => {
  const refused = { status: 400, body: BAD_NONCE };
  const created = { status: 201, headers: { location: 'https://127.0.0.1/account/1' } };
  const patient = await falseAuthority(t, [...Array(9).fill(refused), created]);
  await patient.signIn();
  assert.equal(patient.posts(), 10);
  const endless = await falseAuthority(t, Array(20).fill(refused));
  assert.match(
    (await errorOf(endless.signIn())).message,
    /^the authority refused the account: JWS has an invalid/,
  );
  assert.equal(endless.posts(), 10);
});

it('the authority’s words are kept on one line, with how long it wants to be left alone', async (t) => {
  const detail = `too many\nnew orders \u0000${'x'.repeat(2_000)}`;
  const headers = { 'retry-after': '3600' };
  const limited = await falseAuthority(t, [{ status: 429, body: { detail }, headers }]);
  const { fault, message, retryAfterMs } = await errorOf(limited.signIn());
  assert.deepEqual([fault, retryAfterMs], ['refused', 3_600_000]);
  assert.match(message, /^the authority refused the account: too many new orders x+$/);
  assert.ok(message.length < 600);
  const down = await falseAuthority(t, [{ status: 503, body: 'maintenance' }]);
  const failure = await errorOf(down.signIn());
  assert.deepEqual(
    [failure.fault, failure.message],
    ['unreachable', 'the authority refused the account: status 503'],
  );
  const lost = await falseAuthority(t, [{ status: 201, body: {} }]);
  assert.equal((await errorOf(lost.signIn())).message, 'the authority sent no Location');
});

it('addresses without https and endless responses are refused', async (t) => {
  const connection = new AuthorityConnection({ ca: null, signal: new AbortController().signal });
  t.after(() => connection.close());
  const plain = await errorOf(connection.send({ method: 'GET', url: 'http://127.0.0.1/directory' }));
  assert.equal(plain.message, 'the authority names an address without https://');
  const large = await falseAuthority(t, [{ status: 201, body: 'x'.repeat(2 << 20) }]);
  assert.match((await errorOf(large.signIn())).message, /cannot be reached: the response is too large/);
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { BucketClient } from '../../src/backups/bucket-client.ts';
import { BucketError } from '../../src/backups/errors.ts';
import { BucketServer } from './bucket-server.ts';

const MB = 1024 * 1024;
const LARGE = randomBytes(17 * MB);

async function* split(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 300_000) yield bytes.subarray(start, start + 300_000);
}

describe('a bucket', () => {
  let server: BucketServer;
  before(async () => {
    server = await BucketServer.start();
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(() => {
    server.fault = () => 'pass';
    server.calls.length = 0;
  });

  const newClient = (settings = server.settings): BucketClient =>
    new BucketClient(settings, { signal: new AbortController().signal, timeoutMs: 700, retryMs: 1 });
  const put = (key: string, bytes: Buffer, client = newClient()): Promise<void> =>
    client.put(key, split(bytes), bytes.length);
  const get = async (key: string): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of newClient().get(key)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const uploads = (): string[] =>
    server.calls.filter((call) => /^(PUT|POST)/.test(call)).map((call) => call.replace(/uploadId=[^&]*/, ''));

  it('has what was put, in parts if it is large', async () => {
    await put('a/small', LARGE.subarray(0, 1000));
    await put('a/empty', Buffer.alloc(0));
    assert.equal(uploads().length, 2);
    await put('a/large', LARGE);
    assert.equal(uploads().length, 2 + 1 + 3 + 1, uploads().join('\n'));
    assert.ok(LARGE.equals(await get('a/large')));
    assert.ok(LARGE.subarray(0, 1000).equals(await get('a/small')));
    const found = (await newClient().list('a/')).toSorted((one, other) => one.bytes - other.bytes);
    assert.deepEqual(found, [
      { key: 'a/empty', bytes: 0 },
      { key: 'a/small', bytes: 1000 },
      { key: 'a/large', bytes: LARGE.length },
    ]);
    await newClient().remove('a/small');
    await newClient().remove('a/never');
    assert.equal((await newClient().list('a/')).length, 2);
    assert.deepEqual(await newClient().list('other/'), []);
  });

  it('lists all pages', async () => {
    const entry = (key: string): string => `<Contents><Key>${key}</Key><Size>7</Size></Contents>`;
    const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b=</NextContinuationToken>';
    server.fault = ({ path }) => ({
      status: 200,
      body: path.includes('continuation-token=a%26b%3D')
        ? `<ListBucketResult>${entry('shop/a&lt;b')}<IsTruncated>false</IsTruncated></ListBucketResult>`
        : `<ListBucketResult>${entry('shop/one')}${entry('shop/two')}${more}</ListBucketResult>`,
    });
    assert.deepEqual(
      (await newClient().list('shop/')).map(({ key }) => key),
      ['shop/one', 'shop/two', 'shop/a<b'],
    );
  });

  it('is tried again after a cut connection, a 500 and a 429', async () => {
    for (const fault of ['cut', { status: 500 }, { status: 429 }] as const) {
      let failures = 2;
      server.fault = ({ path }) => (path.includes('partNumber=2') && failures-- > 0 ? fault : 'pass');
      await put('again', LARGE);
      assert.equal(failures, -1);
      assert.ok(LARGE.equals(await get('again')));
    }
  });

  it('has nothing of an upload that failed', async () => {
    const faults = [
      ['cut', /cannot be used/],
      ['silent', /no response within 0.7 s|cannot be used/],
      [{ status: 503, body: '<Error><Code>SlowDown</Code></Error>' }, /refused the call: SlowDown/],
      [
        { status: 403, body: '<Error><Code>AccessDenied</Code><Message>No.</Message></Error>' },
        /AccessDenied, No\.$/,
      ],
      [{ status: 301 }, /another address or region/],
    ] as const;
    for (const [fault, message] of faults) {
      server.fault = ({ path }) => (path.includes('partNumber=3') ? fault : 'pass');
      await assert.rejects(put('failed', LARGE), (error) => {
        assert.ok(error instanceof BucketError);
        assert.match(error.message, message);
        return true;
      });
      assert.equal(server.calls.at(-1)?.split(' ')[0], 'DELETE');
    }
    server.fault = ({ method, path }) =>
      method === 'POST' && path.includes('uploadId')
        ? { status: 200, body: '<Error><Code>InternalError</Code></Error>' }
        : 'pass';
    await assert.rejects(put('failed', LARGE), /InternalError/);
    server.fault = () => 'pass';
    assert.deepEqual(await newClient().list('failed'), []);
  });

  it('refuses another key, and says so', async () => {
    const client = newClient({ ...server.settings, secretAccessKey: 'wrong' });
    await assert.rejects(client.list(''), /refused the call: SignatureDoesNotMatch/);
    assert.equal(server.calls.length, 1);
    const none = newClient({ ...server.settings, bucket: 'elsewhere' });
    await assert.rejects(none.list(''), /The bucket elsewhere refused the call: NoSuchBucket/);
  });

  it('stops when the service stops', async () => {
    const stopping = new AbortController();
    server.fault = () => 'silent';
    const client = new BucketClient(server.settings, { signal: stopping.signal });
    setTimeout(() => stopping.abort(new Error('the service is stopping')), 50);
    await assert.rejects(client.list(''), /the service is stopping/);
  });
});

it('a server that is away is named', async () => {
  const settings = {
    ...{ endpoint: 'http://127.0.0.1:1', region: 'x', bucket: 'backups' },
    ...{ accessKeyId: 'a', secretAccessKey: 'b' },
  };
  const client = new BucketClient(settings, { signal: new AbortController().signal, retryMs: 1 });
  await assert.rejects(client.list(''), /^BucketError: The server 127\.0\.0\.1:1 cannot be used: /);
});

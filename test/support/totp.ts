import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type ConsoleClient, PASSWORD } from './console.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows (RFC 6238) `step` steps from now. */
export function codeOf(uri: string, step = 0): string {
  return codeOfSecret(new URL(uri).searchParams.get('secret') ?? '', step);
}

/** For a secret as typed into an authenticator app. */
export function codeOfSecret(secret: string, step = 0): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** The client's user has `PASSWORD`. Resolves to the app's URI. */
export async function enableTwoFactor(client: ConsoleClient): Promise<string> {
  const enabled = await client.post('/auth/two-factor/enable', { password: PASSWORD });
  const { totpURI } = enabled.json<{ totpURI: string }>();
  const verified = await client.post('/auth/two-factor/verify-totp', { code: codeOf(totpURI) });
  assert.equal(verified.status, 200, verified.text);
  return totpURI;
}

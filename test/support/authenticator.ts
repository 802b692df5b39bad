import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { NewPasskeyRequest, PasskeyRequest } from '../../src/console/console-api.ts';

/** What the authenticator says of a use. */
interface Use {
  origin: string;
  /** The host that it signs for; by default, the one that the service asks for. */
  rpId?: string;
  /** Whether it has verified the user, with a fingerprint or a PIN. */
  verifies?: boolean;
  /** Passkeys that are synced between devices count nothing. */
  count?: number;
  /** What it says of whose passkey it is. */
  userHandle?: string;
  /** The kind of the operation that the browser states. */
  type?: string;
}

const [PRESENT, VERIFIED, NEW] = [0x01, 0x04, 0x40];

/** A browser and its authenticator with one passkey, which follow the standard as far as `Use` says. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #userHandle = '';

  /** Answers a request for a new passkey. */
  create(request: Pick<NewPasskeyRequest, 'challenge' | 'user'> & { rp: { id?: string } }, use: Use) {
    this.#userHandle = request.user.id;
    const client = clientData(use.type ?? 'webauthn.create', request.challenge, use);
    const key = coseKey(this.#keys.publicKey);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const data = Buffer.concat([
      authenticatorData(use.rpId ?? request.rp.id ?? '', NEW, use),
      Buffer.alloc(16),
      length,
      this.id,
      key,
    ]);
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(data)],
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Answers a request to sign in. */
  get({ challenge, rpId = '' }: Pick<PasskeyRequest, 'challenge' | 'rpId'>, use: Use) {
    const client = clientData(use.type ?? 'webauthn.get', challenge, use);
    const data = authenticatorData(use.rpId ?? rpId, 0, use);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: use.userHandle ?? this.#userHandle,
      },
    };
  }

  #named() {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  }
}

function clientData(type: string, challenge: string, { origin }: Use): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData(rpId: string, flags: number, { verifies = true, count = 0 }: Use): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(count);
  const all = flags | PRESENT | (verifies ? VERIFIED : 0);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([all]), counter]);
}

/** A key of ES256 on P-256 (RFC 9053). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cborMap([
    [Buffer.from([0x01]), Buffer.from([0x02])],
    [Buffer.from([0x03]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([0x01])],
    [Buffer.from([0x21]), cborBytes(Buffer.from(x, 'base64url'))],
    [Buffer.from([0x22]), cborBytes(Buffer.from(y, 'base64url'))],
  ]);
}

function cborMap(entries: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 | entries.length]), ...entries.flat()]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const { length } = bytes;
  const head =
    length < 24 ? [0x40 | length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), bytes]);
}

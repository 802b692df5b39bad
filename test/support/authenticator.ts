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
  /** What it says of itself, by the format; by default nothing. */
  attestation?: Attestation;
  /** The ID in what it signs; by default its own, which the browser states, too. */
  signedId?: Buffer;
}

interface Attestation {
  format: string;
  /** Its values are CBOR. `signed` is what a signature is of. */
  statement: (signed: Buffer) => Readonly<Record<string, Buffer>>;
}

const [PRESENT, VERIFIED, NEW] = [0x01, 0x04, 0x40];

/** A browser and its authenticator with one passkey, which follow the standard as far as `Use` says. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #userHandle = '';

  get publicKey(): KeyObject {
    return this.#keys.publicKey;
  }

  sign(data: Buffer): Buffer {
    return sign('sha256', data, this.#keys.privateKey);
  }

  /** Answers a request for a new passkey. */
  create(request: Pick<NewPasskeyRequest, 'challenge' | 'user'> & { rp: { id?: string } }, use: Use) {
    this.#userHandle = request.user.id;
    const client = clientData(use.type ?? 'webauthn.create', request.challenge, use);
    const { signedId = this.id, attestation = { format: 'none', statement: () => ({}) } } = use;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(signedId.length);
    const data = Buffer.concat([
      authenticatorData(use.rpId ?? request.rp.id ?? '', NEW, use),
      Buffer.alloc(16),
      length,
      signedId,
      coseKey(this.publicKey),
    ]);
    const statement = attestation.statement(signedBytes(data, client));
    const object = cborObject({
      fmt: cborText(attestation.format),
      attStmt: cborObject(statement),
      authData: cborBytes(data),
    });
    return {
      ...this.#named(),
      response: {
        clientDataJSON: client.toString('base64url'),
        attestationObject: object.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Answers a request to sign in. */
  get({ challenge, rpId = '' }: Pick<PasskeyRequest, 'challenge' | 'rpId'>, use: Use) {
    const client = clientData(use.type ?? 'webauthn.get', challenge, use);
    const data = authenticatorData(use.rpId ?? rpId, 0, use);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: this.sign(signedBytes(data, client)).toString('base64url'),
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

function signedBytes(data: Buffer, client: Buffer): Buffer {
  return Buffer.concat([data, createHash('sha256').update(client).digest()]);
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

function cborObject(values: Readonly<Record<string, Buffer>>): Buffer {
  return cborMap(Object.entries(values).map(([name, value]) => [cborText(name), value]));
}

function cborMap(entries: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 | entries.length]), ...entries.flat()]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
}

export function cborArray(values: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0x80 | values.length]), ...values]);
}

export function cborBytes(bytes: Buffer): Buffer {
  const { length } = bytes;
  const head =
    length < 24 ? [0x40 | length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), bytes]);
}

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';

/** An ECDSA key on the curve P-256, which every authority and every client accepts. */
export function newPrivateKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
}

export function toPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The key of an account, which signs its requests (RFC 7515) and answers challenges (RFC 8555, 8.1). */
export class AccountKey {
  /** The public key, with the members that its thumbprint is of. */
  readonly jwk: { crv: string; kty: string; x: string; y: string };
  readonly #key: KeyObject;

  /** @throws {Error} if it is no private key of `newPrivateKey` in PEM */
  constructor(pem: string) {
    this.#key = createPrivateKey(pem);
    const { crv = '', kty = '', x = '', y = '' } = createPublicKey(this.#key).export({ format: 'jwk' });
    this.jwk = { crv, kty, x, y };
  }

  /** Returns a JWS as JSON. A request without a payload reads. */
  sign(header: Readonly<Record<string, unknown>>, payload: object | null): string {
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const head = encode({ alg: 'ES256', ...header });
    const content = payload === null ? '' : encode(payload);
    const signature = sign('sha256', Buffer.from(`${head}.${content}`), {
      key: this.#key,
      dsaEncoding: 'ieee-p1363',
    });
    return JSON.stringify({ protected: head, payload: content, signature: signature.toString('base64url') });
  }

  /** Returns what proves to the authority that this account answers, as SHA-256 in hexadecimal. */
  answerDigest(token: string): string {
    const thumbprint = createHash('sha256').update(JSON.stringify(this.jwk)).digest('base64url');
    return createHash('sha256').update(`${token}.${thumbprint}`).digest('hex');
  }
}

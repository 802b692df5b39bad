import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Only the same 32-byte key and `context` decrypt the result. */
export function encrypt(text: string, key: KeyObject, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** @throws {Error} for another key or context, and for bytes that were changed */
export function decrypt(bytes: Uint8Array, key: KeyObject, context: string): string {
  const tagStart = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(tagStart));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagStart)), decipher.final()]).toString();
}

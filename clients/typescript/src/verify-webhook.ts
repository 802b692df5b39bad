import type { TradepostEvent } from './operations.ts';

/** The seconds that the clocks may differ, and a message may be old. */
const TOLERANCE_SECONDS = 300;

/** A message is not from the service, or too old. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

/**
 * Returns the event of a message to a webhook, which is signed as Standard Webhooks defines. `body` is the
 * text exactly as it was received. There may be several secrets (`whsec_…`) while one is replaced. `now` is
 * the time in milliseconds, for tests.
 * @throws {WebhookVerificationError}
 */
export async function verifyWebhook(
  body: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secrets: string | readonly string[],
  { now = Date.now() }: { now?: number } = {},
): Promise<TradepostEvent> {
  const [id = '', timestamp = '', signatures = ''] = readHeaders(headers);
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('The header webhook-timestamp is not a number of seconds.');
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('The message is too old, or its time is in the future.');
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  if (!(await isSigned(content, signatures.split(' '), typeof secrets === 'string' ? [secrets] : secrets)))
    throw new WebhookVerificationError('No signature of the message matches the secret.');
  const event = readEvent(body);
  if (event === undefined) throw new WebhookVerificationError('The message is not an event.');
  return event;
}

function readHeaders(headers: Parameters<typeof verifyWebhook>[1]): string[] {
  const found =
    headers instanceof Headers
      ? headers
      : new Headers(
          Object.entries(headers).flatMap(([name, value]): [string, string][] => {
            const text = typeof value === 'string' ? value : value?.[0];
            return text === undefined ? [] : [[name, text]];
          }),
        );
  return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = found.get(name) ?? '';
    if (value === '') throw new WebhookVerificationError(`The header ${name} is missing.`);
    return value;
  });
}

async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', keyBytes(secret), algorithm, false, ['verify']);
    for (const signature of signatures) {
      const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice('v1,'.length)) : undefined;
      if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, content))) return true;
    }
  }
  return false;
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (bytes === undefined || bytes.length === 0)
    throw new WebhookVerificationError('The secret is not valid: expected whsec_ and Base64.');
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function readEvent(body: string): TradepostEvent | undefined {
  try {
    const event: unknown = JSON.parse(body);
    const isEvent =
      typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string';
    // The service's tests check its events against the OpenAPI document.
    return isEvent ? (event as TradepostEvent) : undefined;
  } catch {
    return undefined;
  }
}

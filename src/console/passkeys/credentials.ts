import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { textIn } from '../text-in.ts';

/** Longer than any that authenticators make, shorter than the body of a request. */
const MAX_PART_LENGTH = 20_000;
const MAX_ID_LENGTH = 1_400;
const BASE64URL = /^[\w-]+$/;
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

type Transport = (typeof TRANSPORTS)[number];

/** Reads what a browser sends of a passkey that signs in. Undefined for anything else. */
export function readAssertion(credential: unknown): AuthenticationResponseJSON | undefined {
  const [id, response] = [idIn(credential), objectIn(credential, 'response')];
  const clientDataJSON = partIn(response, 'clientDataJSON');
  const authenticatorData = partIn(response, 'authenticatorData');
  const signature = partIn(response, 'signature');
  const userHandle = partIn(response, 'userHandle');
  if (id === '' || clientDataJSON === '' || authenticatorData === '' || signature === '' || userHandle === '')
    return undefined;
  return { ...ofId(id), response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

/** Reads what a browser sends of a new passkey. Undefined for anything else. */
export function readNewCredential(credential: unknown): RegistrationResponseJSON | undefined {
  const [id, response] = [idIn(credential), objectIn(credential, 'response')];
  const clientDataJSON = partIn(response, 'clientDataJSON');
  const attestationObject = partIn(response, 'attestationObject');
  if (id === '' || clientDataJSON === '' || attestationObject === '') return undefined;
  return { ...ofId(id), response: { clientDataJSON, attestationObject, transports: transportsIn(response) } };
}

/** Returns the challenge that a browser says it got. Empty, which no challenge is, for anything else. */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    return textIn(data, 'challenge');
  } catch {
    return '';
  }
}

/** Reads the transports of a stored passkey, which are separated by commas. */
export function parseTransports(text: string): Transport[] {
  return TRANSPORTS.filter((transport) => text.split(',').includes(transport));
}

function ofId(id: string) {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const;
}

function idIn(credential: unknown): string {
  const id = partIn(credential, 'id');
  return id.length <= MAX_ID_LENGTH ? id : '';
}

function partIn(body: unknown, field: string): string {
  const value = textIn(body, field);
  return value.length <= MAX_PART_LENGTH && BASE64URL.test(value) ? value : '';
}

function objectIn(body: unknown, field: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, field)
    ? Reflect.get(body, field)
    : undefined;
}

function transportsIn(response: unknown): Transport[] {
  const sent = objectIn(response, 'transports');
  return Array.isArray(sent) ? TRANSPORTS.filter((transport) => sent.includes(transport)) : [];
}

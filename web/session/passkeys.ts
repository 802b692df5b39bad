import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import type { NewPasskeyRequest, PasskeyRequest } from '../../src/console/console-api.ts';
import { NO_PASSKEYS_AT_ADDRESS } from '../../src/console/passkeys/passkey-limits.ts';
import { post } from '../server/request.ts';

/** What people read if the browser made or used no passkey. */
export class NoPasskey extends Error {
  override name = 'NoPasskey';
}

const PUBLIC = { needsSession: false };
const ADDRESS = /^(\d+\.){3}\d+$|^\[/;

/** Asks the user for a passkey, and signs in with it. @throws {NoPasskey} {ServerError} */
export async function signInWithPasskey(): Promise<void> {
  requireSupport();
  const optionsJSON = await post<PasskeyRequest>('auth/sign-in/passkey/options', {}, PUBLIC);
  const response = await startAuthentication({ optionsJSON }).catch(explain('used'));
  await post('auth/sign-in/passkey', response, PUBLIC);
}

/**
 * Offers the user's passkeys in the list of an email input, where the browser can. Resolves to true once the
 * user has signed in with one, and to false if nothing is offered or the browser stops offering them.
 * @throws {ServerError} if the passkey was refused
 */
export async function offerPasskeys(): Promise<boolean> {
  if (ADDRESS.test(location.hostname) || !(await browserSupportsWebAuthnAutofill())) return false;
  const response = await post<PasskeyRequest>('auth/sign-in/passkey/options', {}, PUBLIC)
    .then((optionsJSON) => startAuthentication({ optionsJSON, useBrowserAutofill: true }))
    // Nobody has asked for anything yet.
    .catch(() => undefined);
  if (response === undefined) return false;
  await post('auth/sign-in/passkey', response, PUBLIC);
  return true;
}

/** Makes a passkey of the signed-in user. @throws {NoPasskey} {ServerError} */
export async function addPasskey({ name, password }: { name: string; password: string }): Promise<void> {
  requireSupport();
  const optionsJSON = await post<NewPasskeyRequest>('auth/passkeys/options', { password });
  const response = await startRegistration({ optionsJSON }).catch(explain('added'));
  await post('auth/passkeys', { ...response, name });
}

function requireSupport(): void {
  if (ADDRESS.test(location.hostname)) throw new NoPasskey(NO_PASSKEYS_AT_ADDRESS);
  if (!browserSupportsWebAuthn()) throw new NoPasskey('This browser doesn’t support passkeys.');
}

function explain(what: 'used' | 'added'): (error: unknown) => never {
  return (error) => {
    const name = error instanceof Error ? error.name : '';
    if (name === 'InvalidStateError')
      throw new NoPasskey('This device already has a passkey for your account.');
    if (name === 'SecurityError')
      throw new NoPasskey('Passkeys work only at the service’s public URL. Open this page there.');
    throw new NoPasskey(`No passkey was ${what}. Try again.`);
  };
}

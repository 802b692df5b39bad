import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { NewPasskey, PasskeyRow } from '../../users/passkey-queries.ts';
import { parseTransports } from './credentials.ts';
import type { RelyingParty } from './relying-party.ts';

/** COSE names of EdDSA, ES256 and RS256, which all authenticators have one of. */
export const ALGORITHMS = [-8, -7, -257] as const;

interface Expected {
  challenge: string;
  relyingParty: RelyingParty;
}

/**
 * Checks the signature of a passkey, its challenge, origin and count, and that it has verified the user.
 * Resolves to the new count; undefined if anything is wrong.
 */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  passkey: Pick<PasskeyRow, 'user_id' | 'public_key' | 'sign_count'>,
  { challenge, relyingParty }: Expected,
): Promise<number | undefined> {
  if (response.response.userHandle !== userHandleOf(passkey.user_id)) return undefined;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const publicKey = new Uint8Array(passkey.public_key);
  const credential = { id: response.id, publicKey, counter: passkey.sign_count };
  const verified = await verifyAuthenticationResponse({
    response,
    credential,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  }).catch(asUnverified);
  return verified?.verified === true ? verified.authenticationInfo.newCounter : undefined;
}

/**
 * Checks a new passkey. Resolves to what is stored of it; undefined if anything is wrong, or if its
 * attestation has certificates.
 */
export async function verifyNewCredential(
  response: RegistrationResponseJSON,
  { challenge, relyingParty }: Expected,
): Promise<Pick<NewPasskey, 'credentialId' | 'rpId' | 'publicKey' | 'signCount' | 'transports'> | undefined> {
  if (!(await isWithoutCertificates(response))) return undefined;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...ALGORITHMS],
  }).catch(asUnverified);
  if (verified?.verified !== true) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  // Browsers send the ID twice. The library does not compare the two, and only one has a limited length.
  if (id !== response.id) return undefined;
  const transports = parseTransports((response.response.transports ?? []).join(',')).join(',');
  return { credentialId: id, rpId: relyingParty.id, publicKey, signCount: counter, transports };
}

/**
 * Whether the attestation is none, or by the passkey itself. The library would connect to the addresses that
 * certificates name for revocation lists, and anyone can send certificates.
 */
async function isWithoutCertificates({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    const format = attestation.get('fmt');
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}

/** What an authenticator returns to say whose passkey it is, as base64url. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId).toString('base64url');
}

/** The library throws an error for anything that is wrong with what a browser sent. */
function asUnverified(): undefined {
  return undefined;
}

import type {
  Configuration,
  CustomFetchOptions,
  IDToken,
  ServerMetadata,
  UserInfoResponse,
} from 'openid-client';
import type { OidcSettings } from '../../oidc/oidc-settings.ts';
import { readBounded } from '../../shared/read-bounded.ts';
import { normalizeEmail } from '../../users/add-user.ts';
import type { Person } from './people.ts';

/** Why a provider signed nobody in. Pages say it in words. */
export type ProviderFault = 'unreachable' | 'denied' | 'expired' | 'rejected' | 'misconfigured';

/** A provider signed nobody in. The message is for the log, and has neither codes nor tokens. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly fault: ProviderFault;

  constructor(fault: ProviderFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/** What a browser is sent away with, and what has to come back with it. */
export interface Challenge {
  state: string;
  nonce: string;
  verifier: string;
}

/** Other letters can become these in lower case, and so name another mailbox. */
const ASCII = /^[\x21-\x7e]+$/;
const SCOPE = 'openid email profile';
const TIMEOUT_SECONDS = 10;
const CLOCK_TOLERANCE_SECONDS = 30;
/** A provider may move its endpoints. Its keys are read more often by the library. */
const KEEP_MS = 60 * 60 * 1000;
const MAX_TEXT_LENGTH = 255;
const MAX_RESPONSE_BYTES = 1 << 20;

/**
 * An identity provider: code flow with PKCE. Its description is read at the first sign-in, so that the
 * service starts without it. The times of ID tokens are checked with the machine's clock.
 */
export class IdentityProvider {
  readonly settings: OidcSettings;
  readonly #now: () => number;
  #found: { configuration: Promise<Configuration>; at: number } | undefined;

  constructor(settings: OidcSettings, now: () => number) {
    this.settings = settings;
    this.#now = now;
  }

  /** Returns where to send a browser. @throws {ProviderError} */
  async begin(redirectUri: string): Promise<{ url: string; challenge: Challenge }> {
    const client = await import('openid-client');
    const configuration = await this.#configuration();
    const challenge = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const { href } = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: challenge.state,
      nonce: challenge.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(challenge.verifier),
      code_challenge_method: 'S256',
    });
    return { url: href, challenge };
  }

  /**
   * Returns who came back to `url`, the redirect URI with the provider's parameters. Checks issuer, audience,
   * nonce, state, signature and times. Keeps no token.
   * @throws {ProviderError}
   */
  async finish(url: URL, { state, nonce, verifier }: Challenge): Promise<Person> {
    const client = await import('openid-client');
    const configuration = await this.#configuration();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new ProviderError('rejected', 'no ID token');
      // Many providers put the claims of scopes only there.
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo: Partial<UserInfoResponse> = hasUserInfo
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {};
      // What is said about an email counts only where the email is said.
      const aboutEmail = claims.email === undefined ? userInfo : claims;
      return this.#personOf({ ...userInfo, ...claims }, aboutEmail);
    } catch (error) {
      throw this.#faultOf(client, error);
    }
  }

  #configuration(): Promise<Configuration> {
    if (this.#found !== undefined && this.#now() - this.#found.at < KEEP_MS) return this.#found.configuration;
    const found = { configuration: this.#discover(), at: this.#now() };
    this.#found = found;
    found.configuration.catch(() => {
      if (this.#found === found) this.#found = undefined;
    });
    return found.configuration;
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const client = await import('openid-client');
    const server = new URL(issuer);
    const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    try {
      const found = await client.discovery(server, clientId, undefined, client.None(), {
        timeout: TIMEOUT_SECONDS,
        execute: insecure,
        [client.customFetch]: fetchBounded,
      });
      const metadata = found.serverMetadata();
      requireEndpoints(metadata, server.protocol);
      const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const authenticate = methods.includes('client_secret_basic')
        ? client.ClientSecretBasic(clientSecret)
        : client.ClientSecretPost(clientSecret);
      const settings = { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
      const configuration = new client.Configuration(metadata, clientId, settings, authenticate);
      configuration.timeout = TIMEOUT_SECONDS;
      configuration[client.customFetch] = fetchBounded;
      // Otherwise, the library trusts the connection instead of the signature of ID tokens.
      for (const extend of [client.enableNonRepudiationChecks, ...insecure]) extend(configuration);
      return configuration;
    } catch (error) {
      throw this.#faultOf(client, error);
    }
  }

  #personOf(
    claims: UserInfoResponse & IDToken,
    { email, email_verified: isVerified }: Readonly<Record<string, unknown>>,
  ): Person {
    const { issuer, name: provider, roleClaim, merchantClaim } = this.settings;
    const { sub: subject, iss, name } = claims;
    if (subject.length > MAX_TEXT_LENGTH || !isStorable(subject))
      throw new ProviderError('rejected', 'the subject cannot be stored');
    const hasEmail =
      typeof email === 'string' && ASCII.test(email) && (isVerified === true || isVerified === 'true');
    return {
      issuer: iss || issuer,
      subject,
      provider,
      email: hasEmail ? normalizeEmail(email) : null,
      name: typeof name === 'string' && isStorable(name) ? name : null,
      roles: textsOf(claims[roleClaim]),
      merchant: merchantClaim === null ? null : (textsOf(claims[merchantClaim])[0] ?? null),
    };
  }

  /** Says what went wrong, without what the provider sent: it may contain tokens. */
  #faultOf(client: typeof import('openid-client'), error: unknown): ProviderError {
    if (error instanceof ProviderError) return error;
    if (error instanceof client.AuthorizationResponseError)
      return new ProviderError(error.error === 'access_denied' ? 'denied' : 'misconfigured', error.error);
    if (error instanceof client.ResponseBodyError) {
      if (error.status >= 500) return new ProviderError('unreachable', error.error);
      return new ProviderError(error.error === 'invalid_grant' ? 'expired' : 'misconfigured', error.error);
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    const { cause } = error instanceof Error ? error : {};
    if (code === 'OAUTH_TIMEOUT' || (cause instanceof Response && cause.status >= 500))
      return new ProviderError('unreachable', code ?? '');
    if (error instanceof client.ClientError) {
      const reason = cause instanceof Error ? `: ${cause.message}` : '';
      return new ProviderError(
        cause instanceof Response ? 'misconfigured' : 'rejected',
        `${error.message}${reason}`,
      );
    }
    // `fetch` rejects with this if there is no response.
    if (error instanceof TypeError && cause !== undefined)
      return new ProviderError('unreachable', cause instanceof Error ? cause.message : error.message);
    return new ProviderError('rejected', error instanceof Error ? error.message : String(error), error);
  }
}

/** @throws {ProviderError} for an endpoint that is missing, or no address to send browsers or secrets to */
function requireEndpoints(metadata: ServerMetadata, protocol: string): void {
  for (const name of ['authorization_endpoint', 'token_endpoint'] as const) {
    const endpoint = metadata[name];
    const url = typeof endpoint === 'string' ? URL.parse(endpoint) : null;
    if (url?.protocol !== 'https:' && url?.protocol !== protocol)
      throw new ProviderError('misconfigured', `the description has no usable ${name}`);
  }
}

/** As `fetch`, for a response of at most `MAX_RESPONSE_BYTES`. @throws {ProviderError} for a longer one */
async function fetchBounded(url: string, options: CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, options as RequestInit);
  const body = await readBounded(response.body ?? [], MAX_RESPONSE_BYTES);
  if (body === undefined)
    throw new ProviderError('misconfigured', `a response has more than ${MAX_RESPONSE_BYTES} bytes`);
  const { status, statusText, headers } = response;
  return new Response(body.length === 0 ? null : body, { status, statusText, headers });
}

/** Whether the database can store a text. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The texts of a claim, which may be one text, a number or a list. */
function textsOf(claim: unknown): string[] {
  const values = Array.isArray(claim) ? claim : [claim];
  return values
    .map((value) => (typeof value === 'number' ? String(value) : value))
    .filter((value) => typeof value === 'string' && isStorable(value))
    .map((value) => value.trim());
}

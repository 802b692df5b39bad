import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { after, before } from 'node:test';

interface Answer {
  /** Claims of the ID token that differ from the right ones; undefined for none. */
  claims?: Record<string, unknown>;
  /** Signs the ID token with a key that the provider does not have. */
  wrongKey?: boolean;
  /** Claims that no key has signed. */
  unsigned?: boolean;
  /** What the user info names instead of the subject. */
  userInfoSubject?: string;
  /** Claims of the user info that differ from the right ones. */
  userInfo?: Record<string, unknown>;
  /** Of the token's response. */
  status?: number;
  /** What the description has instead of what is right; undefined for nothing. */
  description?: Record<string, unknown>;
}

const newKey = (): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A provider that answers as tests want, unlike `TestIdentityProvider`, which only does what is allowed. */
export class FalseProvider {
  answer: Answer = {};
  readonly environment: Record<string, string> = {};
  readonly #key = newKey();
  readonly #otherKey = newKey();
  #server: Server | undefined;
  #nonce = '';

  get issuer(): string {
    const address = this.#server?.address();
    assert(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}`;
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => this.#serve(request.url ?? '', response));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.environment.OIDC_ISSUER = this.issuer;
    this.environment.OIDC_CLIENT_ID = 'operators';
    this.environment.OIDC_CLIENT_SECRET = 'secret';
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  /** The parameters with which a browser comes back that was sent to `url`. */
  comeBack(url: string, changed: Record<string, string> = {}): URLSearchParams {
    const { searchParams } = new URL(url);
    this.#nonce = searchParams.get('nonce') ?? '';
    const state = searchParams.get('state') ?? '';
    return new URLSearchParams({ code: 'code', state, iss: this.issuer, ...changed });
  }

  #serve(url: string, response: ServerResponse): void {
    const { pathname } = new URL(url, this.issuer);
    const json = (body: unknown, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (pathname === '/.well-known/openid-configuration') json(this.#description());
    else if (pathname === '/jwks')
      json({
        keys: [{ ...this.#key.publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256', use: 'sig' }],
      });
    else if (pathname === '/userinfo') {
      const { userInfoSubject: sub = 'mallory', userInfo } = this.answer;
      const right = { sub, email: 'mallory@example.com', email_verified: true, tradepost_role: 'admin' };
      json({ ...right, ...userInfo });
    } else if (pathname === '/token') {
      const { status = 200 } = this.answer;
      if (status !== 200) json({ error: 'invalid_grant' }, status);
      else json({ access_token: 'token', token_type: 'Bearer', expires_in: 60, id_token: this.#idToken() });
    } else json({}, 404);
  }

  #description(): Record<string, unknown> {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/jwks`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      ...this.answer.description,
    };
  }

  #idToken(): string {
    const now = Math.floor(Date.now() / 1000);
    const right = {
      iss: this.issuer,
      aud: 'operators',
      sub: 'mallory',
      nonce: this.#nonce,
      iat: now,
      exp: now + 300,
    };
    const { claims, wrongKey = false, unsigned = false } = this.answer;
    const header = unsigned ? { alg: 'none' } : { alg: 'RS256', kid: '1' };
    const content = [header, { ...right, ...claims }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    if (unsigned) return `${content}.`;
    const { privateKey } = wrongKey ? this.#otherKey : this.#key;
    return `${content}.${createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url')}`;
  }
}

/** Starts a provider for the suite, before the service that uses its `environment`. */
export function useFalseProvider(): FalseProvider {
  const provider = new FalseProvider();
  before(() => provider.start());
  after(() => provider.stop());
  return provider;
}

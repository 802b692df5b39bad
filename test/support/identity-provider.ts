import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before } from 'node:test';
import Provider from 'oidc-provider';
import type { SingleSignOnStart } from '../../src/console/console-api.ts';
import type { ConsoleClient } from './console.ts';

/** The claims of an account, with `sub`. */
export type Account = { sub: string } & Record<string, unknown>;

const CALLBACK =
  /^https:\/\/(localhost|127\.0\.0\.1|shop\.example)(:\d+)?\/(operator|console)\/api\/auth\/single-sign-on\/callback$/;
const CLAIMS = ['name', 'tradepost_role', 'tradepost_merchant', 'tradepost_merchant_role'];
const clients = ['operators', 'merchants'].map((name) => ({
  client_id: name,
  client_secret: `the secret of ${name}`,
  redirect_uris: ['https://placeholder.example/callback'],
  grant_types: ['authorization_code'],
  response_types: ['code'],
}));

/** A real identity provider, `oidc-provider`, on plain HTTP. Its only page asks for an account. */
export class TestIdentityProvider {
  readonly accounts = new Map<string, Account>();
  /** The service's settings. `OIDC_ISSUER` and the like are filled in when it starts. */
  readonly environment: Record<string, string>;
  #server: Server | undefined;
  #port = 0;

  constructor(environment: Record<string, string>) {
    this.environment = environment;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Adds an account, or replaces its claims. */
  account(claims: Account): void {
    this.accounts.set(claims.sub, claims);
  }

  /** Uses the same port each time. */
  async start(): Promise<void> {
    const server = createServer();
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert(typeof address === 'object' && address !== null);
    this.#port = address.port;
    this.#server = server;
    const provider = this.#provider();
    const serve = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/')) void this.#interact(provider, request, response);
      else serve(request, response);
    });
    for (const [prefix, name] of [
      ['OIDC_', 'operators'],
      ['MERCHANT_OIDC_', 'merchants'],
    ] as const) {
      this.environment[`${prefix}ISSUER`] = this.issuer;
      this.environment[`${prefix}CLIENT_ID`] = name;
      this.environment[`${prefix}CLIENT_SECRET`] = `the secret of ${name}`;
      this.environment[`${prefix}NAME`] = 'Alpine ID';
    }
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  /** Signs in an account, as a browser that was sent to `url`. Returns where the browser is sent back to. */
  async signIn(url: string, account: string): Promise<string> {
    const cookies = new Map<string, string>();
    let target = url;
    let body: string | undefined;
    for (let hops = 0; hops < 10; hops += 1) {
      const response = await fetch(target, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: {
          cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
          ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(body !== undefined && { body }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      body = undefined;
      if (location === null) {
        const page = await response.text();
        assert.match(page, /Your account/, `${response.status} ${target}: ${page}`);
        body = new URLSearchParams({ account }).toString();
      } else {
        target = new URL(location, target).href;
        if (!target.startsWith(this.issuer)) return target;
      }
    }
    return assert.fail('the provider redirects forever');
  }

  #provider(): Provider {
    const provider = new Provider(this.issuer, {
      clients,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: CLAIMS },
      cookies: { keys: ['a key for tests'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => this.accounts.get(sub) ?? { sub },
      }),
      loadExistingGrant: async ({
        oidc,
      }: {
        oidc: { client: { clientId: string }; session: { accountId: string } };
      }) => {
        const grant = new provider.Grant({
          clientId: oidc.client.clientId,
          accountId: oidc.session.accountId,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    // The port of the service is not known yet.
    provider.Client.prototype.redirectUriAllowed = (uri) => CALLBACK.test(uri);
    return provider;
  }

  async #interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') {
      const account = new URLSearchParams(await text(request)).get('account') ?? '';
      const result =
        account === ''
          ? { error: 'access_denied', error_description: 'canceled' }
          : { login: { accountId: account } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>Alpine ID</title><form method="post"><label>Your account <input name="account"></label><button>Continue</button></form>',
    );
  }
}

/** Signs in an account at the provider. Resolves to the callback that the browser is sent back to. */
export async function callbackOf(
  provider: TestIdentityProvider,
  client: ConsoleClient,
  sub: string,
): Promise<URL> {
  const started = await client.post('/auth/single-sign-on', { next: '/products' });
  assert.equal(started.status, 200, started.text);
  return new URL(await provider.signIn(started.json<SingleSignOnStart>().url, sub));
}

/** Opens a callback. Resolves to the page that the browser is sent to. */
export async function openCallback(client: ConsoleClient, { pathname, search }: URL): Promise<string> {
  const path = pathname.replace(/^\/(operator|console)\/api/, '');
  const response = await client.get(`${path}${search}`);
  assert.equal(response.status, 303, response.text);
  return response.header('location') ?? '';
}

/** Starts an identity provider for the suite, before the service that uses its `environment`. */
export function useIdentityProvider(environment: Record<string, string> = {}): TestIdentityProvider {
  const provider = new TestIdentityProvider(environment);
  before(() => provider.start());
  after(() => provider.stop());
  return provider;
}

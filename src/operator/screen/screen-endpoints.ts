import type { FastifyInstance } from 'fastify';
import { authEndpoints } from '../../console/auth/auth-endpoints.ts';
import { consoleStatuses } from '../../console/errors.ts';
import { consoleGuard } from '../../console/guard.ts';
import { inNetworkTurn } from '../../console/network-turn.ts';
import { readPages } from '../../console/pages/files.ts';
import { pageEndpoints } from '../../console/pages/page-endpoints.ts';
import { addPasskeyEndpoints } from '../../console/passkeys/add-endpoints.ts';
import { passkeyEndpoints } from '../../console/passkeys/passkey-endpoints.ts';
import { passkeySignInEndpoints } from '../../console/passkeys/sign-in-endpoints.ts';
import { checkLinkEndpoint } from '../../console/password-links/check-link-endpoint.ts';
import { registerPageEndpoint } from '../../console/register-endpoint.ts';
import { sessionEndpoints } from '../../console/sessions/session-endpoints.ts';
import { singleSignOnEndpoints } from '../../console/single-sign-on/single-sign-on-endpoints.ts';
import { keepBodiesAsBuffers } from '../../http/parameters/body.ts';
import { int32, oneOf, text } from '../../http/parameters/types.ts';
import { readSelfSigned } from '../../http/tls/files.ts';
import { readMarketplace } from '../../operators/marketplace.ts';
import { MAX_ADDRESS_LENGTH } from '../../shared/email-address.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { MAX_USER_NAME_LENGTH } from '../../users/add-user.ts';
import { OPERATOR_PATH } from '../path.ts';
import { listOperatorAudit, type OperatorAudit } from './list-operator-audit.ts';
import { merchantsOrigin } from './merchants-origin.ts';
import { screenOperatorEndpoints } from './operator-endpoints.ts';
import type { ScreenSession } from './screen-api.ts';
import type { ScreenGate } from './screen-gate.ts';
import { missesTwoFactor, screenRealm } from './screen-realm.ts';
import { setUpEndpoints } from './set-up-endpoints.ts';
import { supportViewEndpoint } from './support-view-endpoint.ts';

const DEFAULT_LIMIT = 50;
const MAX_ID_LENGTH = 36;
const MAX_ACTION_LENGTH = 50;
/** Whose entries the operator's log has. */
const kinds = ['operator', 'operator_key', 'command', 'service', 'stranger'] as const;
/** Not with `*` alone: unknown paths of the operator API need the API's own errors. */
const PAGE = `${OPERATOR_PATH}/:page(^(?!v1$|api$)[\\w-]+$)`;

/** Registers the pages of the operator's screen, and their calls below `/operator/api`. */
export async function screenEndpoints(app: FastifyInstance, gate: ScreenGate): Promise<void> {
  screenPages(app, gate);
  await app.register(
    async (api) => {
      consoleGuard(api, gate.config);
      setUpEndpoints(api, gate);
      currentScreenSession(api, gate);
      authEndpoints(api, gate);
      passkeySignInEndpoints(api, gate);
      addPasskeyEndpoints(api, gate);
      singleSignOnEndpoints(api, gate);
      checkLinkEndpoint(api, gate);
      await api.register(async (plugin) => signedInEndpoints(plugin, gate));
    },
    { prefix: screenRealm.apiPath },
  );
}

function screenPages(app: FastifyInstance, { config: { brand }, marketplaceName }: ScreenGate): void {
  const files = readPages('operator');
  const ofFiles = [...files.keys()]
    .filter((file) => !file.includes('/'))
    .map((file) => `${OPERATOR_PATH}/${file}`);
  const routes = [OPERATOR_PATH, `${OPERATOR_PATH}/`, PAGE, `${PAGE}/*`, ...ofFiles];
  pageEndpoints(app, {
    ...{ brand, marketplaceName, files },
    base: OPERATOR_PATH,
    routes,
    realm: screenRealm,
    // Nobody should confuse the screen with the console.
    isColored: false,
  });
}

/** Registers the calls that need a session, in a plugin of their own. */
function signedInEndpoints(app: FastifyInstance, gate: ScreenGate): void {
  // The API's body parsers, so that the same input has the same errors.
  keepBodiesAsBuffers(app);
  sessionEndpoints(app, gate, 'viewer');
  passkeyEndpoints(app, gate, 'viewer');
  screenOperatorEndpoints(app, gate);
  supportViewEndpoint(app, gate);
  registerPageEndpoint(app, gate, {
    method: 'GET',
    path: '/audit',
    role: 'viewer',
    parameters: {
      kind: { type: oneOf(kinds) },
      who: { type: text(MAX_ADDRESS_LENGTH + MAX_USER_NAME_LENGTH + 20) },
      action: { type: text(MAX_ACTION_LENGTH) },
      before: { type: text(MAX_ID_LENGTH) },
      limit: { type: int32(1, 200) },
    },
    statuses: [200],
    handle: async ({ input: { limit = DEFAULT_LIMIT, ...part } }) =>
      RenderedJson.of<OperatorAudit>(await listOperatorAudit(gate.database, { ...part, limit })),
  });
}

/** Also serves operators who must set up two-factor authentication first. */
function currentScreenSession(app: FastifyInstance, gate: ScreenGate): void {
  const options = { config: { statuses: [200, ...consoleStatuses] } };
  app.get('/session', options, async (request, reply): Promise<ScreenSession> => {
    const caller = await inNetworkTurn(gate, request, () =>
      gate.currentSession.requireAny({ request, reply }),
    );
    const { brand } = gate.config;
    const marketplace = await readMarketplace(gate.database);
    return {
      two_factor_missing: missesTwoFactor(caller),
      by_provider: caller.byProvider,
      user: caller.user,
      marketplace: { ...marketplace, name: brand.name ?? marketplace.name },
      brand_name: brand.name,
      api_url: `${merchantsOrigin(request, gate)}${gate.config.basePath}`,
      certificate: await readSelfSigned(gate.config),
    };
  });
}

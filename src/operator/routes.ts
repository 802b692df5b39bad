import type { FastifyInstance } from 'fastify';
import { TokenVerifier } from '../api-keys/verify-token.ts';
import type { Config } from '../config.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import type { KeyUseServices } from '../http/endpoint/admit-key.ts';
import type { AuthenticationServices } from '../http/endpoint/authenticate.ts';
import type { WriteServices } from '../http/endpoint/register-write.ts';
import { openApiRoutes } from '../openapi/routes.ts';
import type { Sender } from '../webhooks/send-message.ts';
import type { WebhookSecrets } from '../webhooks/webhook-secrets.ts';
import { operatorCampaignRoutes } from './campaigns/routes.ts';
import { operatorChangesRoutes } from './changes/routes.ts';
import { operatorAuthentication } from './endpoint/operator-authentication.ts';
import { operatorEventRoutes } from './events/routes.ts';
import { operatorKeyRoutes } from './keys/routes.ts';
import { operatorMerchantRoutes } from './merchants/routes.ts';
import { operatorModerationRoutes } from './moderation/routes.ts';
import { operatorApi } from './openapi/operator-api.ts';
import { OPERATOR_BASE_PATH } from './path.ts';
import { operatorStreamRoutes } from './streams/routes.ts';
import { StreamImports } from './streams/stream-import.ts';
import { operatorUserRoutes } from './users/routes.ts';
import { operatorWebhookRoutes } from './webhooks/routes.ts';

interface OperatorServices
  extends Omit<WriteServices, 'authentication' | 'verifier'>,
    Omit<AuthenticationServices, 'verifier'>,
    KeyUseServices {
  config: Config;
  lowInventory: number;
  offLoop: OffLoopReads;
  sender: Sender;
  secrets: WebhookSecrets;
}

/** Uses all of v1's services except the verifier of tokens. */
export async function operatorRoutes(app: FastifyInstance, shared: OperatorServices): Promise<void> {
  const { config, database, metrics, now } = shared;
  const streams = new StreamImports(config, shared.stopping);
  const keys = { ...shared, verifier: TokenVerifier.ofOperator(database, now) };
  const services = { ...keys, authentication: operatorAuthentication(keys), streams };
  metrics.gauge(
    'operator_streams',
    'Streams of the operator API that are being imported.',
    () => streams.running,
  );
  // Its own address is not public.
  openApiRoutes(app, operatorApi, config.operatorAddress === null ? config.publicUrl : null);
  await app.register(
    async (api) => {
      operatorMerchantRoutes(api, services);
      operatorEventRoutes(api, services);
      operatorKeyRoutes(api, services);
      operatorUserRoutes(api, services);
      operatorWebhookRoutes(api, services);
      operatorStreamRoutes(api, services);
      operatorChangesRoutes(api, services);
      operatorCampaignRoutes(api, services);
      operatorModerationRoutes(api, services);
    },
    { prefix: OPERATOR_BASE_PATH },
  );
}

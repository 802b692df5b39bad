import type { FastifyInstance } from 'fastify';
import { TokenVerifier } from '../api-keys/verify-token.ts';
import type { Config } from '../config.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import type { WriteServices } from '../http/endpoint/register-write.ts';
import { openApiRoutes } from '../openapi/routes.ts';
import type { Sender } from '../webhooks/send-message.ts';
import type { WebhookSecrets } from '../webhooks/webhook-secrets.ts';
import { operatorCampaignRoutes } from './campaigns/routes.ts';
import { operatorChangesRoutes } from './changes/routes.ts';
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

/** Uses all of v1's services except the verifier of tokens. */
export async function operatorRoutes(
  app: FastifyInstance,
  {
    config,
    offLoop,
    sender,
    secrets,
  }: { config: Config; offLoop: OffLoopReads; sender: Sender; secrets: WebhookSecrets },
  shared: WriteServices,
): Promise<void> {
  const { database, now } = shared;
  const services = { ...shared, verifier: TokenVerifier.ofOperator(database, now) };
  const streams = new StreamImports(config, shared.stopping);
  const { metrics } = shared;
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
      operatorUserRoutes(api, config, services);
      operatorWebhookRoutes(api, { config, sender, secrets }, services);
      operatorStreamRoutes(api, streams, services);
      operatorChangesRoutes(api, offLoop, services);
      operatorCampaignRoutes(api, services);
      operatorModerationRoutes(api, config, services);
    },
    { prefix: OPERATOR_BASE_PATH },
  );
}

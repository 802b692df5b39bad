import type { FastifyInstance } from 'fastify';
import { TokenVerifier } from '../api-keys/verify-token.ts';
import type { Config } from '../config.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { examineRunning } from '../doctor/examine-running.ts';
import { deliveryEndpoints } from '../event-api/delivery-endpoints.ts';
import { eventsEndpoint } from '../event-api/events-endpoint.ts';
import { webhookEndpoints } from '../event-api/webhook-endpoints.ts';
import type { KeyUseServices } from '../http/endpoint/admit-key.ts';
import type { AuthenticationServices } from '../http/endpoint/authenticate.ts';
import type { WriteServices } from '../http/endpoint/register-write.ts';
import type { Imports } from '../imports/imports.ts';
import { serveDocument } from '../openapi/serve-document.ts';
import type { CustomerVault } from '../orders/customer/customer-vault.ts';
import type { Auction } from '../placements/reserve/auction.ts';
import { KeptRead } from '../shared/kept-read.ts';
import type { WebhookNeeds } from '../webhooks/manage-webhooks.ts';
import type { TestDeliveries } from '../webhooks/test-delivery.ts';
import { callEndpoints } from './calls/call-endpoints.ts';
import { campaignStateEndpoint } from './campaigns/campaign-state-endpoint.ts';
import { campaignFiguresEndpoint } from './campaigns/figures-endpoint.ts';
import { campaignListEndpoint } from './campaigns/list-endpoint.ts';
import { changesEndpoints } from './changes/changes-endpoints.ts';
import { operatorAuthentication } from './endpoint/operator-authentication.ts';
import { operatorEventApi } from './events/event-api.ts';
import { newestEventsEndpoint } from './events/newest-events-endpoint.ts';
import { operatorImportEndpoints } from './imports/import-endpoints.ts';
import { operatorUndoEndpoint } from './imports/undo-endpoint.ts';
import { keyEndpoints } from './keys/key-endpoints.ts';
import { marketplaceEndpoints } from './marketplace/marketplace-endpoints.ts';
import { merchantEndpoints } from './merchants/merchant-endpoints.ts';
import { operatorMetadataEndpoints } from './metadata/metadata-endpoints.ts';
import { decisionsEndpoint } from './moderation/decisions-endpoint.ts';
import { moderationEndpoint } from './moderation/moderation-endpoint.ts';
import { moderationQueueEndpoint } from './moderation/queue-endpoint.ts';
import { operatorApi } from './openapi/operator-api.ts';
import { operatorOrderEndpoints } from './orders/order-endpoints.ts';
import { orderListEndpoint } from './orders/order-list-endpoint.ts';
import { orderReadEndpoints } from './orders/order-read-endpoints.ts';
import { overviewEndpoint } from './overview/overview-endpoint.ts';
import { OPERATOR_BASE_PATH } from './path.ts';
import { outcomeEndpoint } from './placements/outcome-endpoint.ts';
import { requestEndpoint } from './placements/request-endpoint.ts';
import { operatorProductEndpoint } from './products/product-endpoint.ts';
import { productListEndpoint } from './products/product-list-endpoint.ts';
import { screenEndpoints } from './screen/screen-endpoints.ts';
import { createScreenGate, type ScreenServices, screenSessions } from './screen/screen-gate.ts';
import { streamEndpoints } from './streams/stream-endpoints.ts';
import { StreamImports } from './streams/stream-import.ts';
import { Backups } from './system/backups.ts';
import { systemEndpoints } from './system/system-endpoints.ts';
import { userEndpoints } from './users/user-endpoints.ts';
import { merchantDeliveryEndpoints } from './webhooks/delivery-endpoints.ts';
import { merchantWebhookEndpoints } from './webhooks/webhook-endpoints.ts';

interface OperatorServices
  extends Omit<WriteServices, 'authentication' | 'verifier'>,
    Omit<AuthenticationServices, 'verifier'>,
    KeyUseServices,
    ScreenServices {
  config: Config;
  lowInventory: number;
  moderationQueue: boolean;
  lowBudget: number;
  auction: Auction;
  offLoop: OffLoopReads;
  customers: CustomerVault;
  imports: Imports;
  needs: WebhookNeeds;
  testDeliveries: TestDeliveries;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

/** Uses all of v1's services except the verifier of tokens. */
export async function operatorEndpoints(app: FastifyInstance, shared: OperatorServices): Promise<void> {
  const { config, database, metrics, now } = shared;
  const streams = new StreamImports(config, shared);
  const keys = { ...shared, verifier: TokenVerifier.ofOperator(database, now) };
  const screen = createScreenGate(shared);
  const authentication = operatorAuthentication(keys, screenSessions(screen));
  const installation = new KeptRead(() => examineRunning(config, shared), shared);
  const services = { ...keys, authentication, streams, installation, backups: new Backups(shared) };
  metrics.gauge(
    'operator_streams',
    'Streams of the operator API that are being imported.',
    () => streams.running,
  );
  // Its own address is not public.
  serveDocument(app, operatorApi, config.operatorAddress === null ? config.publicUrl : null);
  await app.register(
    async (api) => {
      overviewEndpoint(api, services);
      merchantEndpoints(api, services);
      eventsEndpoint(api, services, operatorEventApi);
      newestEventsEndpoint(api, services);
      keyEndpoints(api, services);
      userEndpoints(api, services);
      webhookEndpoints(api, services, operatorEventApi);
      deliveryEndpoints(api, services, operatorEventApi);
      streamEndpoints(api, services);
      changesEndpoints(api, services);
      productListEndpoint(api, services);
      operatorProductEndpoint(api, services);
      campaignFiguresEndpoint(api, services);
      campaignListEndpoint(api, services);
      campaignStateEndpoint(api, services);
      requestEndpoint(api, services);
      outcomeEndpoint(api, services);
      moderationEndpoint(api, services);
      moderationQueueEndpoint(api, services);
      decisionsEndpoint(api, services);
      orderListEndpoint(api, services);
      orderReadEndpoints(api, services);
      operatorOrderEndpoints(api, services);
      operatorMetadataEndpoints(api, services);
      callEndpoints(api, services);
      operatorImportEndpoints(api, services);
      operatorUndoEndpoint(api, services);
      merchantWebhookEndpoints(api, services);
      merchantDeliveryEndpoints(api, services);
      marketplaceEndpoints(api, services);
      systemEndpoints(api, services);
    },
    { prefix: OPERATOR_BASE_PATH },
  );
  await screenEndpoints(app, screen);
}

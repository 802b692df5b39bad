import type { FastifyInstance } from 'fastify';
import type { CampaignBudget } from '../campaigns/campaign-budget.ts';
import type { CampaignCounter } from '../campaigns/count-campaigns.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import type { OverloadControl } from '../http/gate/overload-control.ts';
import { keepBodiesAsBuffers } from '../http/parameters/body.ts';
import type { Imports } from '../imports/imports.ts';
import type { CustomerVault } from '../orders/customer/customer-vault.ts';
import type { ProductLister } from '../products/list/list-products.ts';
import type { SearchServices } from '../products/search/search-products.ts';
import type { WebhookNeeds } from '../webhooks/manage-webhooks.ts';
import type { TestDeliveries } from '../webhooks/test-delivery.ts';
import { consoleActivityEndpoints } from './activity/activity-endpoints.ts';
import { consoleRealm } from './auth/console-realm.ts';
import { consoleCampaignEndpoints } from './campaigns/campaign-endpoints.ts';
import { consoleFindEndpoints } from './find/find-endpoints.ts';
import { consoleImportEndpoints } from './imports/import-endpoints.ts';
import { consoleUndoEndpoint } from './imports/undo-endpoint.ts';
import { consoleKeyEndpoints } from './keys/key-endpoints.ts';
import { consoleNotificationEndpoints } from './notifications/notification-endpoints.ts';
import { consoleOrderEndpoints } from './orders/order-endpoints.ts';
import { consoleOverviewEndpoint } from './overview/overview-endpoint.ts';
import { passkeyEndpoints } from './passkeys/passkey-endpoints.ts';
import { consoleBulkEndpoints } from './products/bulk-endpoints.ts';
import { consoleProductHistoryEndpoint } from './products/history-endpoint.ts';
import { consoleProductEndpoints } from './products/product-endpoints.ts';
import { consoleRequestEndpoints } from './requests/request-endpoints.ts';
import { consoleSalesEndpoints } from './sales/sales-endpoints.ts';
import { sessionEndpoints } from './sessions/session-endpoints.ts';
import { consoleShopEndpoints } from './shop/shop-endpoints.ts';
import { consoleTeamEndpoints } from './team/team-endpoints.ts';
import { consoleTestDataEndpoint } from './test-data/test-data-endpoint.ts';
import { consoleViewEndpoints } from './views/view-endpoints.ts';
import { consoleWebhookEndpoints } from './webhooks/webhook-endpoints.ts';

export interface SignedInServices extends SearchServices {
  config: Config;
  database: Database;
  now: () => number;
  /** Shared with the API, so that both use the same cached pages. */
  lister: ProductLister;
  /** Shared with the API, so that a merchant's large reads take turns. */
  offLoop: OffLoopReads;
  campaignChangeBudget: CampaignBudget;
  /** Shared with the API, so that campaigns are counted once. */
  campaignCounter: CampaignCounter;
  /** Shared with the API, whose imports are listed too. */
  imports: Imports;
  /** Shared with the API, so that both know the same keys. */
  customers: CustomerVault;
  /** Sends test deliveries of webhooks. */
  needs: WebhookNeeds;
  testDeliveries: TestDeliveries;
  overloadControl: OverloadControl;
}

/** Registers the endpoints below `/console/api` that need a session, in a plugin of their own. */
export async function signedInEndpoints(app: FastifyInstance, services: SignedInServices): Promise<void> {
  // The API's body parsers, so that the same input has the same errors.
  keepBodiesAsBuffers(app);
  consoleOverviewEndpoint(app, { ...services, campaigns: services.campaignCounter });
  consoleProductEndpoints(app, services);
  consoleProductHistoryEndpoint(app, services);
  consoleActivityEndpoints(app, services);
  consoleFindEndpoints(app, services);
  consoleBulkEndpoints(app, services);
  consoleViewEndpoints(app, services);
  consoleOrderEndpoints(app, services);
  consoleCampaignEndpoints(app, services);
  consoleRequestEndpoints(app, services);
  consoleSalesEndpoints(app, services);
  consoleKeyEndpoints(app, services);
  sessionEndpoints(app, { ...services, ...app.consoleGate, realm: consoleRealm }, 'viewer');
  passkeyEndpoints(app, { ...services, ...app.consoleGate }, 'viewer');
  consoleShopEndpoints(app, services);
  consoleTeamEndpoints(app, services);
  consoleNotificationEndpoints(app, services);
  consoleImportEndpoints(app, services);
  consoleUndoEndpoint(app, services);
  consoleWebhookEndpoints(app, services);
  consoleTestDataEndpoint(app, services);
}

import type { FastifyInstance } from 'fastify';
import type { CampaignBudget } from '../campaigns/campaign-budget.ts';
import type { CampaignCounter } from '../campaigns/count-campaigns.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import type { OverloadControl } from '../http/gate/overload-control.ts';
import { keepBodiesAsBuffers } from '../http/parameters/body.ts';
import type { Imports } from '../imports/imports.ts';
import type { ProductLister } from '../products/list/list-products.ts';
import type { SearchServices } from '../products/search/search-products.ts';
import type { Sender } from '../webhooks/send-message.ts';
import type { WebhookSecrets } from '../webhooks/webhook-secrets.ts';
import { consoleCampaignRoutes } from './campaigns/routes.ts';
import { consoleImportRoutes } from './imports/routes.ts';
import { consoleKeyEndpoints } from './keys/routes.ts';
import { consoleNotificationRoutes } from './notifications/routes.ts';
import { consoleOverviewRoutes } from './overview/routes.ts';
import { consoleBulkRoutes } from './products/bulk-routes.ts';
import { consoleProductRoutes } from './products/routes.ts';
import { consoleRequestRoutes } from './requests/routes.ts';
import { consoleSalesRoutes } from './sales/routes.ts';
import { consoleSessionRoutes } from './sessions/routes.ts';
import { consoleShopRoutes } from './shop/routes.ts';
import { consoleTeamEndpoints } from './team/routes.ts';
import { consoleViewRoutes } from './views/routes.ts';
import { consoleWebhookEndpoints } from './webhooks/routes.ts';

export interface MerchantRouteServices extends SearchServices {
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
  /** Sends test deliveries of webhooks. */
  sender: Sender;
  secrets: WebhookSecrets;
  overloadControl: OverloadControl;
}

/** Registers a signed-in merchant's routes below `/console/api`, in a scope of their own. */
export async function merchantRoutes(app: FastifyInstance, services: MerchantRouteServices): Promise<void> {
  // The API's body parsers, so that the same input has the same errors.
  keepBodiesAsBuffers(app);
  consoleOverviewRoutes(app, { ...services, campaigns: services.campaignCounter });
  consoleProductRoutes(app, services);
  consoleBulkRoutes(app, services);
  consoleViewRoutes(app, services);
  consoleCampaignRoutes(app, services);
  consoleRequestRoutes(app, services);
  consoleSalesRoutes(app, services);
  consoleKeyEndpoints(app, services);
  consoleSessionRoutes(app, services);
  consoleShopRoutes(app, services);
  consoleTeamEndpoints(app, services);
  consoleNotificationRoutes(app, services);
  consoleImportRoutes(app, services);
  consoleWebhookEndpoints(app, services);
}

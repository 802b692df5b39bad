import type { FastifyInstance } from 'fastify';
import type { CampaignBudget } from '../campaigns/campaign-budget.ts';
import { CampaignCounter } from '../campaigns/count-campaigns.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { takeBodies } from '../http/parameters/body.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { ProductLister } from '../products/list/list-products.ts';
import { consoleCampaignRoutes } from './campaigns/routes.ts';
import { consoleKeyRoutes } from './keys/routes.ts';
import { consoleOverviewRoutes } from './overview/routes.ts';
import { consoleProductRoutes } from './products/routes.ts';
import { consoleSalesRoutes } from './sales/routes.ts';
import { consoleSessionRoutes } from './sessions/routes.ts';
import { consoleUploadRoutes } from './uploads/routes.ts';

/** What the console's data come from. */
export interface ConsoleData {
  config: Config;
  database: Database;
  now: () => number;
  /** The API's own, so that both have the same pages in memory. */
  lister: ProductLister;
  /** The API's own, so that a merchant has one turn for both. */
  offLoop: OffLoopReads;
  metrics: Metrics;
  campaignBudget: CampaignBudget;
}

/** Everything that a merchant sees and does once signed in, below `/console/api`; for a scope of its own. */
export async function consoleData(app: FastifyInstance, data: ConsoleData): Promise<void> {
  const campaigns = new CampaignCounter(data.database);
  // Forms are read as the API reads its post data: the same checks find the same things wrong.
  takeBodies(app);
  consoleOverviewRoutes(app, { ...data, campaigns });
  consoleProductRoutes(app, data);
  consoleCampaignRoutes(app, { ...data, campaigns, campaignTypes: data.config.campaignTypes });
  consoleSalesRoutes(app, data);
  consoleKeyRoutes(app, data);
  consoleSessionRoutes(app, data);
  consoleUploadRoutes(app, data);
}

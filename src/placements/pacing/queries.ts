import { statement, upsertInto } from '../../database/statement.ts';

/** The requests for placements in an hour, which begins at `hour`. */
export interface RequestHourRow {
  currency: string;
  hour: number;
  requests: number;
}

export const addToRequestHours = upsertInto<RequestHourRow>(
  'placement_request_hours',
  ['currency', 'hour'],
  ['requests'],
  'DO UPDATE SET requests = placement_request_hours.requests + excluded.requests',
);

export const listRequestHours = statement<{ since: number }, RequestHourRow>(
  'SELECT currency, hour, requests FROM placement_request_hours WHERE hour >= :since',
);

export const deleteRequestHours = statement<{ before: number }, never>(
  'DELETE FROM placement_request_hours WHERE hour < :before',
);

export interface PacedCampaignRow {
  id: string;
  daily_budget: number | null;
  hourly_schedule: string | null;
  /** What is reserved and delivered on the day, in units; null for nothing. */
  used: number | null;
}

export const listPacedCampaigns = statement<
  { merchantId: number; ids: readonly string[]; day: string },
  PacedCampaignRow
>(
  `SELECT c.id, c.daily_budget, c.hourly_schedule, f.reserved_amount + f.spend AS used
   FROM campaigns c LEFT JOIN placement_figures f ON f.merchant_id = :merchantId AND f.campaign_id = c.id
     AND f.product_id = 0 AND f.day = :day
   WHERE c.merchant_id = :merchantId AND c.id IN (:ids[50])`,
);

import type { AuditEntry } from '../audit/audit-entry.ts';
import type { ChangedCampaignValue } from '../campaigns/list-history.ts';
import type { ActorKind } from '../database/actor.ts';
import type { ChangedOrderValue } from '../orders/history/list-history.ts';
import type { ChangedValue } from '../products/history/shown-changes.ts';

// The part of the console's API about what people, software and the service have done.

export type { ChangedCampaignValue } from '../campaigns/list-history.ts';
export type { ChangedOrderValue } from '../orders/history/list-history.ts';
export type { ChangedValue } from '../products/history/shown-changes.ts';

/** Who did something. */
export interface ActivityAuthor {
  who_kind: ActorKind;
  /** The name and email of a person, or the ID of the merchant's key; empty for others. */
  who: string;
  /** The name of the merchant's key; null for others. */
  key_name: string | null;
  import: AuthorImport | null;
}

/** The import that made a change. */
export interface AuthorImport {
  id: string;
  /** The file, or what a bulk change did; null if that is not known. */
  name: string | null;
  is_bulk: boolean;
  /** Whether GET /console/api/imports/ID still has it. */
  is_kept: boolean;
}

/**
 * GET /console/api/products/history?identifier=SKU&before=&limit=20: the changes of a product and its
 * variations, newest first. The last one is its creation.
 */
export interface ConsoleProductHistory {
  entries: ConsoleProductChange[];
  /** `before` of the next part; null at the end. */
  next: string | null;
}
export interface ConsoleProductChange extends ActivityAuthor {
  id: string;
  at: string;
  action: 'created' | 'changed';
  /** Empty for a creation. */
  changes: ChangedValue[];
}

export const activityTypes = ['product', 'campaign', 'order', 'key', 'webhook', 'user', 'settings'] as const;
export type ActivityType = (typeof activityTypes)[number];

/**
 * GET /console/api/activity?who=&type=&day=&field=&before=&limit=50: changes of products, campaigns
 * and orders, and the entries of the audit log, newest first. `who` is `operator`, `service`, `key:ID` or
 * `user:NAME <EMAIL>`, `day` a day in the shop's time zone. A part searches a limited number of changes, so
 * it may be short, or even empty, before the last one. GET /console/api/activity.csv returns the same as a
 * file.
 */
export interface ActivityList {
  entries: ActivityEntry[];
  /** `before` of the next part; null at the end. */
  next: string | null;
}
export type ActivityEntry = ActivityAuthor & { id: string; at: string } & ActivitySubject;
export type ActivitySubject = LoggedAction | ChangedProducts | ChangedCampaign | ChangedOrders;

interface LoggedAction extends Pick<AuditEntry, 'action' | 'subject'> {
  about: 'log';
}

/** What one call or one import changed. */
export interface ChangedProducts {
  about: 'products';
  /** How many existing products changed, and how many are new. */
  changed: number;
  created: number;
  /** The names of all fields that changed, `variations` for new ones. */
  fields: string[];
  /** The product, if it is only one. */
  product: { internal_id: number; identifier: string } | null;
  /** What changed of the one product; null if it is too much to list here. */
  changes: ChangedValue[] | null;
}

export interface ChangedCampaign {
  about: 'campaign';
  /** The name is null if the campaign is gone. */
  campaign: { id: string; name: string | null };
  action: 'created' | 'changed';
  changes: ChangedCampaignValue[];
}

/** What one call changed in orders. Nothing about customers is recorded. */
export interface ChangedOrders {
  about: 'orders';
  /** How many existing orders changed, and how many are new. */
  changed: number;
  created: number;
  /** The orders with the lowest IDs, up to 20. */
  order_ids: number[];
  /** What changed of the one order; empty for several. */
  changes: ChangedOrderValue[];
}

/**
 * GET /console/api/activity/products?id=ID&before=&limit=50: the products of an entry `products`: first the
 * changed ones, then the new ones.
 */
export interface ActivityProducts {
  products: ActivityProduct[];
  /** `before` of the next part; null at the end. */
  next: string | null;
}
export interface ActivityProduct {
  internal_id: number;
  /** Null if the product is gone. */
  identifier: string | null;
  is_new: boolean;
  /** Null if it is too much to list here. */
  changes: ChangedValue[] | null;
}

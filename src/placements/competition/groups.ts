import { COMPETES, type Standing } from './standings.ts';

export interface KnownCampaign {
  id: string;
  group: Group;
  /** The next campaign of the group. */
  next: KnownCampaign | undefined;
  type: string;
  /** What the status says. */
  standing: Standing;
  /** Why it sits out although it is active. */
  rest: Standing;
  /** In minor units; null for none. */
  bid: number | null;
  createdAt: number;
}

export interface Merchant {
  number: number;
  id: number;
  currency: string;
  minorUnit: number;
  isActive: boolean;
  groups: Map<string, Group>;
  campaigns: Map<string, KnownCampaign>;
  /** The first of the merchant's stalls. */
  firstStall: number;
}

/** The campaigns and products of a merchant with one campaign name. */
export interface Group {
  number: number;
  merchant: Merchant;
  name: string;
  /** The first of its campaigns. */
  firstCampaign: KnownCampaign | undefined;
  /** The one that competes. */
  chosen: KnownCampaign | undefined;
  /** Of the chosen campaign's ID. */
  hash: number;
  /** The first of the group's runs. */
  firstRun: number;
}

export function standingOfGroup({ chosen }: Group): Standing {
  if (chosen === undefined) return COMPETES;
  return chosen.standing === COMPETES ? chosen.rest : chosen.standing;
}

/** What the products of a group are ordered by: their qualities, or what each bids itself, or nothing. */
export function orderOf(chosen: KnownCampaign | undefined): 'quality' | 'own score' | 'nothing' {
  if (chosen?.bid === null) return 'own score';
  return chosen?.bid === 0 ? 'nothing' : 'quality';
}

/**
 * “If several active campaigns of one merchant have that name, the one with the highest bid competes, then
 * the oldest.” A campaign without a bid comes after campaigns with one. Without an active campaign, a paused
 * one says why nothing competes, then an exhausted one.
 */
export function choose({ firstCampaign }: Group): KnownCampaign | undefined {
  let best = firstCampaign;
  for (let other = best?.next; other !== undefined; other = other.next)
    if (best !== undefined && isBetter(other, best)) best = other;
  return best;
}

function isBetter(one: KnownCampaign, other: KnownCampaign): boolean {
  if (one.standing !== other.standing) return one.standing < other.standing;
  const [bid, otherBid] = [one.bid ?? -1, other.bid ?? -1];
  if (bid !== otherBid) return bid > otherBid;
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return one.id < other.id;
}

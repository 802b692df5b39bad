import type { ActorKind } from '../../database/actor.ts';
import type { Reader } from '../../database/database.ts';
import type { ActivitySubject, ActivityType } from '../activity-api.ts';

const kinds: Readonly<Record<ActorKind, true>> = {
  merchant_key: true,
  merchant_user: true,
  operator_key: true,
  operator: true,
  stranger: true,
  command: true,
  service: true,
};
export const allKinds = Object.keys(kinds) as ActorKind[];

export interface ActivityFilter {
  /** Who did it. */
  kinds: readonly ActorKind[];
  /** The name of the `Actor`; '' for all of these kinds. */
  name: string;
  type: ActivityType | undefined;
  /** A field that changed; undefined for any, and for entries that are no changes. */
  field: string | undefined;
  /** From when, and until before when, in milliseconds since 1970. */
  from: number;
  until: number;
}

/** Who did something, as it is stored. */
export interface StoredAuthor {
  at: number;
  actor_kind: ActorKind;
  actor_name: string;
  import_id: string | null;
}

export interface SourceQuery {
  merchantId: number;
  filter: ActivityFilter;
  /** The entry that the wanted ones precede; undefined for the newest. */
  before: string | undefined;
  limit: number;
}

/** A part of a source, newest first. */
export interface SourcePart {
  items: readonly SourceItem[];
  /** Set if the source has older entries that were not searched. */
  searchedTo: SourceItem | undefined;
  /** Reads what else the first `count` items need. */
  describe(count: number): Promise<DescribedItem[]>;
}

/** `place` names the entry within its source. */
export interface SourceItem {
  at: number;
  place: string;
}

export type DescribedItem = StoredAuthor & { id: string } & { subject: ActivitySubject };

/** A list of what happened, that is shown together with others. */
export interface ActivitySource {
  /** The only type of its entries; undefined if it has several. */
  readonly type: ActivityType | undefined;
  /** Whether its entries are changes of fields. */
  readonly hasFields: boolean;
  read(database: Reader, query: SourceQuery): Promise<SourcePart>;
}

/** The history of one type. The audit log has its changes too, so that is shown only for the time before. */
export interface HistorySource extends ActivitySource {
  readonly type: ActivityType;
  /** Resolves to the time of the oldest change that is recorded; undefined if there is none. */
  findOldest(database: Reader, merchantId: number): Promise<number | undefined>;
}

/**
 * How many entries a filtered read searches at most, unless all of them match. It takes some tens of
 * milliseconds, and an index for each filter would cost every change of a stock.
 */
export const MOST_SEARCHED = 50_000;

/** Whether a filter leaves out entries of the time and type that it wants. */
export function isSelective({ kinds, field }: ActivityFilter): boolean {
  return kinds.length < allKinds.length || field !== undefined;
}

/** Returns up to four numbers in a place; 0 for what is none, before which nothing is found. */
export function numbersIn(place: string): [number, number, number, number] {
  const [first = 0, second = 0, third = 0, fourth = 0] = place.split(' ').map((text) => {
    const number = /^\d+$/.test(text) ? Number(text) : 0;
    return Number.isSafeInteger(number) ? number : 0;
  });
  return [first, second, third, fourth];
}

import type { Actor } from '../database/actor.ts';

/** Who made a change, when, and by which call or import: columns of the tables of the history. */
export interface ChangeAuthor {
  /** Milliseconds since 1970. */
  at: number;
  actor_kind: Actor['kind'];
  actor_name: string;
  request_id: string | null;
  import_id: string | null;
}

/** Returns the columns for a change at a time, in milliseconds since 1970. */
export function authorOf(who: Actor, at: number): ChangeAuthor {
  return {
    at,
    actor_kind: who.kind,
    actor_name: who.name,
    request_id: who.request ?? null,
    import_id: who.import ?? null,
  };
}

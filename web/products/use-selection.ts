import { useCallback, useState } from 'react';
import { filtersOnly, type Listing, toQuery } from './listing.ts';

/** The products that the next bulk change applies to. */
export interface Selection {
  ids: ReadonlySet<number>;
  /** Whether all products that match the list's filters are selected, on every page. */
  all: boolean;
}

const nothing: Selection = { ids: new Set(), all: false };

/** The selection of a list of products. It survives other pages and orders, and ends with other filters. */
export function useSelection(listing: Listing) {
  const filters = toQuery(filtersOnly(listing));
  const [state, setState] = useState({ filters, selection: nothing });
  const selection = state.filters === filters ? state.selection : nothing;
  const change = useCallback(
    (changed: (before: Selection) => Selection): void =>
      setState((before) => ({
        filters,
        selection: changed(before.filters === filters ? before.selection : nothing),
      })),
    [filters],
  );
  const select = useCallback(
    (ids: readonly number[], isSelected: boolean): void =>
      change((before) => {
        const chosen = new Set(before.ids);
        for (const id of ids) {
          if (isSelected) chosen.add(id);
          else chosen.delete(id);
        }
        return { ids: chosen, all: false };
      }),
    [change],
  );
  const selectAll = useCallback(() => change((before) => ({ ...before, all: true })), [change]);
  const clear = useCallback(() => change(() => nothing), [change]);
  return { selection, select, selectAll, clear };
}

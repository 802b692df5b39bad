import { Link } from '@tanstack/react-router';
import type { LinkToLines } from '../ui/explained-figure.tsx';
import type { ResultsSearch } from './queries.ts';

/** Links a figure of a campaign to the placements that it adds up, which the campaign's page lists. */
export function linkToPlacements(
  campaign: string,
  search: ResultsSearch,
  lines: Pick<ResultsSearch, 'day' | 'lines'>,
): LinkToLines {
  return (_, onFollow) => (
    <Link
      to="/campaigns/$campaign"
      params={{ campaign }}
      search={{ ...search, product: '', day: '', lines: '', ...lines }}
      onClick={onFollow}
    >
      Show the placements
    </Link>
  );
}

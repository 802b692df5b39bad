import { Link } from '@tanstack/react-router';
import type { LinkToLines } from '../ui/explained-figure.tsx';
import type { SalesSearch } from './search.ts';

/** Links a figure to the auctions that it adds up, which the sales page lists. */
export function linkToAuctions(search: SalesSearch): LinkToLines {
  return ({ address }, onFollow) => {
    const lines = new URLSearchParams(address.split('?')[1]);
    const of = (name: string): string => lines.get(name) ?? '';
    const [month, product] = [of('month'), of('product_identifier')];
    return (
      <Link to="/sales" search={{ ...search, month, product }} onClick={onFollow}>
        Show the auctions
      </Link>
    );
  };
}

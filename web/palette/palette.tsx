import { useQuery } from '@tanstack/react-query';
import { fewQuery } from '../orders/queries.ts';
import { MAX_QUERY_LENGTH } from '../products/listing.ts';
import { pageQuery } from '../products/queries.ts';
import { CommandPalette, usePaletteText } from './command-palette.tsx';
import { useCommands } from './commands.ts';

const MAX_PRODUCTS = 7;
const MAX_ORDERS = 5;

/** Finds orders, products, pages, and actions of the console. */
export function Palette() {
  const { text, query } = usePaletteText();
  const { data } = useQuery({
    ...pageQuery({ query, per_page: String(MAX_PRODUCTS) }),
    enabled: query !== '',
  });
  const orders = useQuery({ ...fewQuery(query, MAX_ORDERS), enabled: query !== '' }).data;
  const found = text === '' ? {} : { products: data?.results, orders: orders?.orders };
  const commands = useCommands(text, found);
  return (
    <CommandPalette
      label="Order, product, page, or action"
      maxLength={MAX_QUERY_LENGTH}
      commands={commands}
    />
  );
}

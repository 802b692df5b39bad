import postgres from 'postgres';
import { CONNECTIONS } from '../../src/database/postgres/connection-shares.ts';
import { send, serve } from './serve.ts';

// An upper bound with a database: pages with one prepared statement per request. The last arguments are the
// database URL and the merchant's ID.
const [url = '', merchant = ''] = process.argv.slice(4);
const PAGE = 50;
const sql = postgres(url, { max: CONNECTIONS, fetch_types: false });
const keys = await sql.unsafe<{ created_at: string; internal_id: string }[]>(
  `SELECT created_at, internal_id FROM products WHERE merchant_id = $1
   ORDER BY created_at DESC, internal_id DESC`,
  [merchant],
);
const starts = keys.filter((_, index) => index % PAGE === 0);
const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];
let turn = 0;

serve(async (response) => {
  // Without adjacent pages in succession.
  turn = (turn + 7) % starts.length;
  const start = starts[turn];
  const rows = await sql
    .unsafe(
      `SELECT record FROM products
       WHERE merchant_id = $1 AND (created_at, internal_id) <= ($2, $3)
       ORDER BY created_at DESC, internal_id DESC LIMIT ${PAGE}`,
      [merchant, start?.created_at ?? 0, start?.internal_id ?? 0],
      { prepare: true },
    )
    .raw();
  const records = [...rows].map(([record]) => record ?? COMMA);
  const parts = records.flatMap((record, index) => (index === 0 ? [OPEN, record] : [COMMA, record]));
  send(response, Buffer.concat([...parts, CLOSE]));
});

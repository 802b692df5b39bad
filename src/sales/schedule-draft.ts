/** What a file says of one auction schedule. */
export interface ScheduleDraft {
  /** The id or the name of the merchant, where the row names it. */
  merchant: string | null;
  schedule_id: string;
  product_identifier: string;
  /** Milliseconds since 1970. */
  scheduled_at: number;
  sold: boolean;
  /** In hundredths of the currency; null where nothing was sold. */
  sale_price: number | null;
  /** In hundredths, from 0 to 500; null where none was given, or nothing was sold. */
  rating: number | null;
}

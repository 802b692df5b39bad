/** An auction schedule in a file. */
export interface ScheduleDraft {
  /** The ID or the name of the merchant; null if the row names none. */
  merchant: string | null;
  schedule_id: string;
  product_identifier: string;
  /** Null for no variation. Undefined keeps a stored schedule's variation unless the product changes. */
  variation_identifier?: string | null | undefined;
  /** Milliseconds since 1970. */
  scheduled_at: number;
  sold: boolean;
  /** In hundredths of the currency's major unit, such as cents; null if nothing was sold. */
  sale_price: number | null;
  /** In hundredths, from 0 to 500; null if there is no rating or nothing was sold. */
  rating: number | null;
  /** The order of the sale, which need not exist yet; null for none. Undefined keeps a stored schedule's. */
  order_id?: number | null | undefined;
  /** The placement that the schedule was. Null and undefined are as for `order_id`. */
  placement_id?: string | null | undefined;
}

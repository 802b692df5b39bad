import { statement } from '../../database/statement.ts';

/** A person in a shop. */
interface Member {
  userId: string;
  merchantId: number;
}

/** `saved_views` is a JSON array. */
export const findSavedViews = statement<Member, { saved_views: string }>(
  'SELECT saved_views FROM memberships WHERE user_id = :userId AND merchant_id = :merchantId',
);

/** Names, separated by commas; null for the default. */
export const findProductColumns = statement<Member, { product_columns: string | null }>(
  'SELECT product_columns FROM memberships WHERE user_id = :userId AND merchant_id = :merchantId',
);

export const updateProductColumns = statement<Member & { columns: string | null }, never>(
  'UPDATE memberships SET product_columns = :columns WHERE user_id = :userId AND merchant_id = :merchantId',
);

/** `views` is a JSON array. */
export const updateSavedViews = statement<Member & { views: string }, never>(
  'UPDATE memberships SET saved_views = :views WHERE user_id = :userId AND merchant_id = :merchantId',
);

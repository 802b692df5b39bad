import { statement } from '../../database/database.ts';

/** `saved_views` is a JSON array. */
export const findSavedViews = statement<{ userId: string }, { saved_views: string }>(
  'SELECT saved_views FROM console_users WHERE id = :userId',
);

/** `views` is a JSON array. */
export const updateSavedViews = statement<{ userId: string; views: string; now: number }, never>(
  'UPDATE console_users SET saved_views = :views, updated_at = :now WHERE id = :userId',
);

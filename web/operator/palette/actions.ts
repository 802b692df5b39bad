import { Store } from '../../server/store.ts';

/** The dialog that the palette has opened over the page. */
export const openDialog = new Store<'create-merchant' | 'invite-operator' | undefined>(undefined);

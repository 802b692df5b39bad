/** A key that expires soon. `expires_at` is RFC 3339. */
export interface ExpiringKey {
  id: string;
  name: string;
  expires_at: string | null;
}

/** The data of each kind of mail. No data contains a secret: links are created when a mail is sent. */
export interface MailData {
  /** To a new user, or to one who needs a new link. */
  invitation: Record<string, never>;
  /** To whoever has the address, if it is a user's. */
  password_reset: Record<string, never>;
  /** To the owner of an address that anyone can have entered to register. */
  registration: Record<string, never>;
  keys_expiring: {
    /** At most 20 of the keys. */
    keys: ExpiringKey[];
    total: number;
  };
  /** `reason` is `gone` or `failures`. */
  webhook_disabled: { url: string; reason: 'gone' | 'failures' };
  import_finished: {
    id: string;
    /** The name of the file. */
    name: string;
    state: 'done' | 'failed' | 'canceled';
    /** Why it failed; null if it did not. */
    failure: string | null;
    created: number;
    updated: number;
    unchanged: number;
    rejected: number;
  };
}

export type MailKind = keyof MailData;

interface ExpiringKey {
  id: string;
  name: string;
  expires_at: string | null;
}

/** No secrets: links are created when a mail is sent. */
export interface MailData {
  invitation: Record<string, never>;
  /** To whoever has the address, if it is a user's. */
  password_reset: Record<string, never>;
  /** Anyone can have entered the address to register. */
  registration: Record<string, never>;
  keys_expiring: {
    /** At most 20 of the keys. */
    keys: ExpiringKey[];
    total: number;
  };
  webhook_disabled: { url: string; reason: 'gone' | 'failures' };
  import_finished: {
    id: string;
    /** The name of the file. */
    name: string;
    state: 'done' | 'failed' | 'canceled';
    failure: string | null;
    created: number;
    updated: number;
    unchanged: number;
    rejected: number;
  };
}

export type MailKind = keyof MailData;

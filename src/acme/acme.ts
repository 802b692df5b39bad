import type { Database } from '../database/database.ts';
import { Encryption } from '../encryption/encryption.ts';
import type { AcmeSettings } from './acme-settings.ts';
import { AcmeStore } from './acme-store.ts';
import { ChallengeAnswers } from './challenge-answers.ts';

/** What a process needs to serve the certificate of an authority, and to answer its checks. */
export interface Acme {
  settings: AcmeSettings;
  store: AcmeStore;
  answers: ChallengeAnswers;
}

interface Parts {
  settings: AcmeSettings;
  database: Database;
  encryptionKeyFile: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Gets a line for the operator after the key file, or a key in it, was created. */
  onKeyCreated(line: string): void;
}

export function createAcme({ settings, database, encryptionKeyFile: file, now, onKeyCreated }: Parts): Acme {
  const encryption = new Encryption({ file, onCreated: onKeyCreated });
  const store = new AcmeStore({ database, encryption });
  return { settings, store, answers: new ChallengeAnswers(store, now) };
}

import type { Random } from '../../../src/demo/random.ts';
import type { ConsoleClient } from '../../support/console.ts';
import type { StressedSettings } from '../server.ts';
import type { Cluster } from './cluster.ts';
import type { Copy } from './copy.ts';

export const MERCHANT = 'Acme';
/** Their identifiers are `P-0` and so on. */
export const PRODUCTS = 60;
/** Of a file, a stream or a batch. */
export const LINES = 12;

export interface Shop {
  cluster: Pick<Cluster, 'send'>;
  settings: StressedSettings;
  random: Random;
  /** False at the end of the run. */
  isWriting: () => boolean;
  /** Of a key that sees customers. */
  token: string;
  operatorToken: string;
  externalId: string;
  console: ConsoleClient;
  /** The copies know which records exist. */
  products: Copy;
  campaigns: Copy;
  orders: Copy;
}

/** Makes a random change. Resolves to whether it was acknowledged. */
export type Writer = (shop: Shop) => Promise<boolean>;

export const anyText = ({ random }: Shop): string => `Text ${random.whole(0, 1e9)} “é”`;

import { parentPort, workerData } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** At 50 attempts per hour and account (`signInByAccount`), this many guesses take more than two years. */
const COMMON_GUESSES = 1_000_000;

const { password, names } = workerData as { password: string; names: string[] };
const estimator = new ZxcvbnFactory({
  dictionary: { passwords: dictionary['passwords-common'] },
  graphs: adjacencyGraphs,
});
parentPort?.postMessage(estimator.check(password, names).guesses < COMMON_GUESSES);

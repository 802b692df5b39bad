import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useEffectEvent, useState } from 'react';
import { offerPasskeys } from '../session/passkeys.ts';

/** Before the challenge expires, after five minutes. */
const RENEW_MS = 4 * 60 * 1000;

interface Options {
  isOn: boolean;
  onDone: () => void;
}

/**
 * Lets the browser offer passkeys in the list of the email input for as long as it is on. Returns why the
 * server refused the last one; null if it did not.
 */
export function usePasskeyAutofill({ isOn, onDone }: Options): unknown {
  const [round, setRound] = useState(0);
  const [refusal, setRefusal] = useState<unknown>(null);
  const done = useEffectEvent(onDone);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round offers them with a new challenge
  useEffect(() => {
    if (!isOn) return;
    let isCurrent = true;
    const begin = (): void => setRound((number) => number + 1);
    const timer = setTimeout(begin, RENEW_MS);
    offerPasskeys().then(
      (isSignedIn) => {
        if (isCurrent && isSignedIn) done();
      },
      (error: unknown) => {
        if (!isCurrent) return;
        setRefusal(error);
        begin();
      },
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isOn, round]);
  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);
  return refusal;
}

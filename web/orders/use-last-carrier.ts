import { useLocalStorage } from '@mantine/hooks';

/** Returns the carrier that was used last in this browser, '' for none, and a function to remember one. */
export function useLastCarrier(): [string, (code: string) => void] {
  const [code, remember] = useLocalStorage({
    key: 'tradepost-carrier',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return [code, remember];
}

import { useLocalStorage } from '@mantine/hooks';

const OTHER = 'other';

/** Carriers by the names that people see, with their codes. Other carriers come last. */
export function carrierOptions(carriers: Readonly<Record<string, string>>) {
  const entries = Object.entries(carriers).map(([label, value]) => ({ label, value }));
  const isOther = ({ value }: { value: string }): boolean => value === OTHER;
  return [
    ...entries.filter((each) => !isOther(each)),
    ...(entries.some(isOther) ? entries.filter(isOther) : [{ label: 'Other', value: OTHER }]),
  ];
}

/** Whether the carrier needs a name, because the marketplace does not list it. */
export function isOtherCarrier(code: string): boolean {
  return code.trim().toLowerCase() === OTHER;
}

/** Returns the name of a carrier; of an unlisted one, the carrier itself is the name. */
export function carrierName(carriers: Readonly<Record<string, string>> | undefined, code: string): string {
  return Object.entries(carriers ?? {}).find(([, each]) => each === code)?.[0] ?? code;
}

/** Whether the marketplace lists a carrier, by its name or code in any case. */
export function isKnownCarrier(carriers: Readonly<Record<string, string>>, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return (
    isOtherCarrier(wanted) ||
    Object.entries(carriers).some((names) => names.some((name) => name.toLowerCase() === wanted))
  );
}

/** Returns the carrier that was used last in this browser, '' for none, and a function to remember one. */
export function useLastCarrier(): [string, (code: string) => void] {
  const [code, remember] = useLocalStorage({
    key: 'tradepost-carrier',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return [code, remember];
}

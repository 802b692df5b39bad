import { useMemo } from 'react';
import { useSession } from '../session/session.ts';
import { Formats } from './formats.ts';

export function useFormats(): Formats {
  const { time_zone: timeZone } = useSession().merchant;
  return useMemo(() => new Formats(timeZone), [timeZone]);
}

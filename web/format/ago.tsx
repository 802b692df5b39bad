import { useFormats } from './use-formats.ts';

/** How long ago a time was; the time itself is its title. */
export function Ago({ at, className }: { at: string; className?: string }) {
  const { ago, time } = useFormats();
  return (
    <time dateTime={at} title={time(at)} className={className}>
      {ago(at)}
    </time>
  );
}

import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from './icons.ts';

/** Copies `value`. `label` completes “Copy …” for screen readers. */
export function CopyButton({
  value,
  label,
  primary = false,
}: {
  value: string;
  label: string;
  primary?: boolean;
}) {
  const { copy, copied } = useClipboard({ timeout: 2000 });
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      size={primary ? 'sm' : 'compact-sm'}
      variant={primary ? 'filled' : 'default'}
      leftSection={<Icon size={15} />}
      onClick={() => copy(value)}
    >
      {copied ? 'Copied' : 'Copy'}
      <span className="visually-hidden"> {label}</span>
    </Button>
  );
}

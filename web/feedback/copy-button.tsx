import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies `value`; `what` completes “Copy …” for those who do not see what it stands beside. */
export function CopyButton({
  value,
  what,
  primary = false,
}: {
  value: string;
  what: string;
  primary?: boolean;
}) {
  const { copy, copied } = useClipboard({ timeout: 2000 });
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      size={primary ? 'sm' : 'compact-sm'}
      variant={primary ? 'filled' : 'default'}
      leftSection={<Icon size={15} aria-hidden="true" />}
      onClick={() => copy(value)}
    >
      {copied ? 'Copied' : 'Copy'}
      <span className="unseen"> {what}</span>
    </Button>
  );
}

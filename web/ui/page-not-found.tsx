import { EmptyState } from './empty-state.tsx';
import { IconMapOff } from './icons.ts';
import { LinkButton } from './link-button.tsx';

/** Says that a page does not exist, within the console’s frame, so that its navigation stays. */
export function PageNotFound() {
  return (
    <>
      <title>Page not found · Tradepost</title>
      <h1 className="visually-hidden">Page not found</h1>
      <EmptyState Icon={IconMapOff} title="Page not found" description="Check the address.">
        <LinkButton to="/">Go to the overview</LinkButton>
      </EmptyState>
    </>
  );
}

import { applicationName } from '../server/application.ts';
import { EmptyState } from './empty-state.tsx';
import { IconMapOff } from './icons.ts';
import { LinkButton } from './link-button.tsx';

/** The content of a page that does not exist. */
export function NotFound() {
  return (
    <>
      <title>{`Page not found · ${applicationName}`}</title>
      <h1 className="visually-hidden">Page not found</h1>
      <EmptyState Icon={IconMapOff} title="Page not found" description="Check the address.">
        <LinkButton to="/">Go to the overview</LinkButton>
      </EmptyState>
    </>
  );
}

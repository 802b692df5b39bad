import { supportUrl } from '../server/application.ts';

/** How to reach the people who run the marketplace. Renders nothing if they have not said how. */
export function SupportLink({ className }: { className: string | undefined }) {
  if (supportUrl === null) return null;
  const { protocol, host, pathname } = new URL(supportUrl);
  const isMail = protocol === 'mailto:';
  return (
    <p className={className}>
      Need help?{' '}
      <a href={supportUrl} {...(!isMail && { target: '_blank', rel: 'noopener' })}>
        {isMail ? decodeURIComponent(pathname) : host}
      </a>
    </p>
  );
}

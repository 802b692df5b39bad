import { Link } from '@tanstack/react-router';
import { useSession } from '../session/session.ts';
import { Reference } from './reference.tsx';
import { languageNames } from './samples/languages.ts';
import { sampleParameters } from './samples/sample-parameters.ts';

/** The reference of the merchants' API. */
export function Page() {
  const { api_url: url, certificate, merchant } = useSession();
  return (
    <Reference
      api={{
        url,
        certificate,
        documentPath: '/openapi.json',
        languages: languageNames,
        sampleParameters,
        hasForms: true,
        firstCall: 'listProducts',
        introduction: (
          <>
            <p>
              Every call needs the token of an <Link to="/keys">API key</Link> in the{' '}
              <code>Authorization</code> header. Don’t put a token in a URL: URLs end up in logs.
            </p>
            <p>
              The samples use your software’s language. TypeScript, PHP, and Python have a client that retries
              safely and reads lists page by page.
            </p>
            <p>
              Your amounts are in {merchant.currency}. Months and days are in the time zone{' '}
              {merchant.time_zone.replaceAll('_', ' ')}, and times are in UTC.
            </p>
          </>
        ),
        createKey: <Link to="/keys">Create a key</Link>,
      }}
    />
  );
}

import { Reference } from '../../reference/reference.tsx';
import { base } from '../../server/application.ts';
import { useSession } from '../session.ts';

const COMMAND = 'tradepost operator-keys create --name NAME';

/** The reference of the operator API. Its calls cannot be tried here: they change all merchants' data. */
export function Page() {
  const { certificate } = useSession();
  return (
    <Reference
      api={{
        url: `${globalThis.location?.origin ?? ''}${base}v1`,
        certificate,
        documentPath: `${base}openapi.json`,
        languages: ['curl'],
        sampleParameters: {},
        hasForms: false,
        firstCall: 'listMerchants',
        introduction: (
          <>
            <p>
              Your own software calls this API. Every call needs the token of an operator key in the{' '}
              <code>Authorization</code> header. To create a key, run <code>{COMMAND}</code>.
            </p>
            <p>Parameters are in the query of a GET, and otherwise in a JSON object. Times are in UTC.</p>
          </>
        ),
        createKey: <code>{COMMAND}</code>,
      }}
    />
  );
}

import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import { useStore } from '../server/store.ts';
import { recentToken } from '../session/session.ts';
import styles from './code-card.module.css';
import { CodeCard } from './code-card.tsx';
import { CERTIFICATE_FILE } from './curl.ts';
import type { Endpoint } from './groups.ts';
import { useReference } from './reference-context.ts';
import { type Language, languages } from './samples/languages.ts';
import { sampleCallOf } from './samples/sample-call.ts';

/** A call of an endpoint in the chosen language, with the token that was entered. */
export function SampleCard({ endpoint }: { endpoint: Endpoint }) {
  const { api, document } = useReference();
  const [chosen, choose] = useLocalStorage<Language>({
    key: 'tradepost-sample-language',
    defaultValue: 'curl',
    getInitialValueInEffect: false,
  });
  // Another version of the console, or the other API's reference, may have stored it.
  const language = api.languages.includes(chosen) ? chosen : 'curl';
  const token = useStore(recentToken);
  const { sampleParameters } = api;
  const call = useMemo(
    () => sampleCallOf(document, endpoint, sampleParameters),
    [document, endpoint, sampleParameters],
  );
  const certificateFile = api.certificate === null ? null : CERTIFICATE_FILE;
  return (
    <CodeCard
      tone="dark"
      text={languages[language](call, { apiUrl: api.url, token, certificateFile })}
      label={`${language} sample of ${endpoint.operation.operationId}`}
      title={
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend, which is not shown
        <div className={styles.languages} role="group" aria-label="Language">
          {api.languages.map((name) => (
            <button
              key={name}
              type="button"
              className={styles.language}
              aria-pressed={name === language}
              onClick={() => choose(name)}
            >
              {name}
            </button>
          ))}
        </div>
      }
    />
  );
}

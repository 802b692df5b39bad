import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sqlite } from '../engines.ts';
import { useService } from '../service.ts';
import { until } from '../until.ts';
import { describeInBrowser, useBrowser } from './browser.ts';

const failures: readonly [script: string, ...problems: RegExp[]][] = [
  ['setTimeout(() => { throw new Error("oh") })', /^exception: oh$/],
  ['void Promise.reject(new Error("no"))', /^exception: no$/],
  ['console.error("oh dear")', /^console: oh dear$/],
  ['void fetch("/console/api/none")', /^404 for GET .*\/console\/api\/none$/],
  [
    'document.body.append(Object.assign(document.createElement("script"), { text: "1" }))',
    /^console: .*Content Security Policy/,
  ],
  [
    'new Image().src = "https://127.0.0.1:9/picture.png"',
    /^request to another origin: https:\/\/127\.0\.0\.1:9\/picture\.png$/,
    /^net::\S+ for GET https:\/\/127\.0\.0\.1:9\/picture\.png$/,
  ],
];

describeInBrowser('a test browser', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('reports exceptions, errors, failed requests, blocked scripts and requests to other origins', async (t) => {
    const visitor = await open(t);
    await visitor.goTo('/sign-in');
    await visitor.sees('Sign in');
    assert.deepEqual(visitor.problems(), []);
    for (const [script, ...expected] of failures) {
      await visitor.page.evaluate(script);
      const reported: string[] = [];
      const isReported = (): boolean => {
        reported.push(...visitor.problems());
        return expected.every((pattern) => reported.some((problem) => pattern.test(problem)));
      };
      await until(isReported, { message: () => `${script}: ${reported.join(', ')}` });
    }
  });
});

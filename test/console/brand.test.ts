import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { upsertMarketplace } from '../../src/operators/queries.ts';
import { GOOD_SVG } from '../brand/logos.ts';
import { PASSWORD, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const directory = mkdtempSync(join(tmpdir(), 'tradepost-brand-'));
const BRAND_LOGO = join(directory, 'logo.svg');
writeFileSync(BRAND_LOGO, GOOD_SVG);
after(() => rmSync(directory, { recursive: true }));

const marketplace = { name: 'Markt & <Söhne>', time_zone: 'UTC', currency: 'EUR' };

describe('the pages of a marketplace without settings of a brand', () => {
  const service = useService(sqlite);
  const page = async (path: string) => (await service().client.request('GET', path)).text;

  it('have the name from the first start once there is one, as authenticator apps do', async () => {
    const before = await page('/console/sign-in');
    assert.match(before, /<title>Sign in · Tradepost<\/title>/);
    assert.doesNotMatch(before, /assets\/brand/);
    assert.match(await page('/operator'), /<title>Sign in · Tradepost Operator<\/title>/);
    const client = await signedIn(service(), await service().newMerchant());
    await service().database.transaction((connection) =>
      connection.run(upsertMarketplace, { ...marketplace, now: 0 }),
    );
    const isNamed = async () => (await page('/console/sign-in')).includes('Markt');
    await until(isNamed, { message: 'the page has the name' });
    assert.match(await page('/console/sign-in'), /<title>Sign in · Markt &amp; &lt;Söhne&gt;<\/title>/);
    assert.match(await page('/operator'), /<title>Sign in · Markt &amp; &lt;Söhne&gt; Operator<\/title>/);
    const { totpURI } = (await client.post('/auth/two-factor/enable', { password: PASSWORD })).json<{
      totpURI: string;
    }>();
    assert.equal(new URL(totpURI).searchParams.get('issuer'), marketplace.name);
  });
});

describe('the pages of a marketplace with a brand', () => {
  const environment = { BRAND_NAME: 'Vases "R" Us', BRAND_LOGO, BRAND_COLOR: '#b4005a' };
  const service = useService(sqlite, { environment });
  const get = (path: string, headers: Record<string, string> = {}) =>
    service().client.request('GET', path, { headers });

  it('have its name wherever the product’s was, whatever the first start said', async () => {
    await service().database.transaction((connection) =>
      connection.run(upsertMarketplace, { ...marketplace, now: 0 }),
    );
    const cookie = '__Host-tradepost.session_token=x';
    for (const path of [
      '',
      '/sign-in',
      '/products',
      '/campaigns',
      '/team',
      '/reference',
      '/register',
      '/none',
    ]) {
      const { text } = await get(`/console${path}`, { cookie });
      assert.doesNotMatch(text, /Tradepost|Markt/, path);
      assert.match(text, /<meta name="application-name" content="Vases &quot;R&quot; Us" \/>/);
      assert.match(text, /<title>(.* · )?Vases &quot;R&quot; Us<\/title>/);
    }
    const { client } = await signedInOperator(service());
    const session = (await client.get('/session')).json<{ marketplace: { name: string } }>();
    assert.equal(session.marketplace.name, 'Vases "R" Us');
  });

  it('have its color before the first paint, from a file that browsers keep', async () => {
    const { text } = await get('/console/sign-in');
    const [, path = ''] = /<link rel="stylesheet" href="([^"]*\/brand-[^"]*)"><\/head>/.exec(text) ?? [];
    const styles = await get(path);
    assert.equal(styles.status, 200);
    assert.equal(styles.header('content-type'), 'text/css; charset=utf-8');
    assert.equal(styles.header('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(styles.text, /--accent: #b4005a;/);
    assert.match(styles.text, /--rail: /);
    const again = await get(path, { 'if-none-match': styles.header('etag') });
    assert.equal(again.status, 304);
    assert.equal((await get('/console/assets/brand-0.css')).status, 404);
  });

  it('show its logo, in which nothing can run', async () => {
    const { text } = await get('/console/sign-in');
    const [, path = ''] = /<link rel="icon" href="([^"]+\.svg)">/.exec(text) ?? [];
    const logo = await get(path);
    assert.equal(logo.text, GOOD_SVG);
    assert.equal(logo.header('content-type'), 'image/svg+xml; charset=utf-8');
    assert.equal(
      logo.header('content-security-policy'),
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    assert.equal(logo.header('x-content-type-options'), 'nosniff');
  });

  it('of the operator’s screen have its name and logo, and their own color', async () => {
    const { text } = await get('/operator');
    assert.match(text, /<title>Sign in · Vases &quot;R&quot; Us Operator<\/title>/);
    const [, icon = ''] = /<link rel="icon" href="([^"]+\.svg)">/.exec(text) ?? [];
    assert.equal((await get(icon)).text, GOOD_SVG);
    const [, path = ''] = /<link rel="stylesheet" href="(\/operator\/assets\/brand-[^"]*)">/.exec(text) ?? [];
    const styles = await get(path);
    assert.match(styles.text, /\.logo/);
    assert.doesNotMatch(styles.text, /--accent|--rail/);
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { GOOD_SVG } from '../brand/logos.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { inspectPage, SOME_THEMES } from './inspect-page.ts';

const directory = mkdtempSync(join(tmpdir(), 'tradepost-brand-'));
const BRAND_LOGO = join(directory, 'logo.svg');
writeFileSync(BRAND_LOGO, GOOD_SVG);
after(() => rmSync(directory, { recursive: true }));

for (const [name, BRAND_COLOR] of [
  ['dark', '#b4005a'],
  ['light', '#ffcc00'],
] as const) {
  describeInBrowser(`a marketplace with a ${name} color`, () => {
    const SUPPORT_URL = 'mailto:help@vases.example';
    const environment = { BRAND_NAME: 'Vases & Co', BRAND_LOGO, BRAND_COLOR, SUPPORT_URL };
    const service = useService(sqlite, { environment });
    const open = useBrowser(service);

    it('has a console that can be read in both themes', async (t) => {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('P-1', { title: 'Pot' })]]);
      const visitor = await open(t, { as: await signedIn(service(), merchant) });
      const { page } = visitor;
      await visitor.goTo('/products');
      await visitor.sees('Products');
      assert.equal(await page.title(), 'Products · Vases & Co');
      await visitor.reads('Vases & Co');
      await inspectPage(visitor, `brand-${name}-products`, SOME_THEMES);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await inspectPage(visitor, `brand-${name}-palette`);
      await page.keyboard.press('Escape');
      await visitor.goTo('/account');
      await visitor.sees('Account');
      await inspectPage(visitor, `brand-${name}-account`);
    });

    it('has a sign-in page with its color before any script has run', async (t) => {
      const visitor = await open(t);
      const { page } = visitor;
      await page.route(/\.js$/, (route) =>
        route.request().url().includes('color-scheme') ? route.continue() : route.abort(),
      );
      visitor.expectProblem(/\.js$/);
      await page.goto(`${visitor.origin}/console/sign-in`);
      assert.equal(await page.title(), 'Sign in · Vases & Co');
      const rail = 'getComputedStyle(document.documentElement).getPropertyValue("--rail")';
      const before = await page.evaluate<string>(rail);
      assert.notEqual(before, '#0d2f38');
      const other = await open(t);
      await other.goTo('/sign-in');
      await other.sees('Sign in');
      assert.equal(await other.page.evaluate<string>(rail), before);
      assert.equal(
        await other.page.locator('.logo > svg').first().isVisible(),
        false,
        'the logo replaces the product’s',
      );
      const help = other.page.getByRole('link', { name: 'help@vases.example' }).filter({ visible: true });
      assert.equal(await help.getAttribute('href'), 'mailto:help@vases.example');
      await inspectPage(other, `brand-${name}-sign-in`);
    });

    // Nothing on it has the marketplace’s color.
    if (name === 'dark')
      it('has an operator’s screen with its name, in the screen’s own color', async (t) => {
        const { client } = await signedInOperator(service());
        const visitor = await open(t, { as: client, base: '/operator' });
        await visitor.goTo('/merchants');
        await visitor.sees('Merchants');
        assert.equal(await visitor.page.title(), 'Merchants · Vases & Co Operator');
        const rail = 'getComputedStyle(document.documentElement).getPropertyValue("--rail")';
        assert.equal(await visitor.page.evaluate<string>(rail), '#2a1a3e');
        await inspectPage(visitor, `brand-${name}-operator`);
        await visitor.goTo('/marketplace');
        await visitor.reads(/the setting BRAND_NAME replaces it with “Vases & Co”/);
      });
  });
}

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { inspectPage } from './inspect-page.ts';

describeInBrowser('the lists of the operator', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('are changed for all merchants by an admin, returned to the default, and read by viewers', async (t) => {
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/lists');
    await visitor.sees('Lists');
    const row = page.getByRole('row').filter({ hasText: 'Colors' });
    await row.getByRole('button', { name: 'Edit Colors' }).click();
    await visitor.field('Entries').fill('Teal\nRust\n\n');
    await visitor.press('Change for all merchants');
    await visitor.reads('Colors changed for all merchants.');
    await row.getByText('Operator').waitFor();
    const merchant = await service().newMerchant();
    const { colors } = (await service().get('/metadata', merchant)).json<{ colors: string[] }>();
    assert.deepEqual(colors, ['Teal', 'Rust']);
    await page.getByRole('row').filter({ hasText: 'Carriers' }).getByRole('button', { name: 'Edit' }).click();
    visitor.expectFailure(400, '/operator/v1/metadata/carriers');
    await visitor.field('Entries').fill('UPS');
    await visitor.press('Change for all merchants');
    await page
      .getByRole('dialog')
      .getByText(/expected/)
      .first()
      .waitFor();
    await visitor.press('Cancel');
    await inspectPage(visitor, 'operator-lists');
    await row.getByRole('button', { name: 'Reset Colors' }).click();
    await visitor.press('Reset list');
    await row.getByText('Tradepost').waitFor();

    const { client: viewer } = await signedInOperator(service(), 'viewer');
    const other = await open(t, { as: viewer, base: '/operator' });
    await other.goTo('/lists');
    await other.page.getByRole('button', { name: 'Show Colors' }).click();
    assert.ok(await other.page.getByRole('button', { name: 'Change for all merchants' }).isDisabled());
  });
});

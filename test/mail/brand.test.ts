import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { renderMail } from '../../src/mail/render-mail.ts';
import { upsertMarketplace } from '../../src/operators/queries.ts';
import { GOOD_SVG, PNG } from '../brand/logos.ts';
import { sqlite } from '../support/engines.ts';
import { inviteNewUser, linkIn, useMailService } from '../support/mail-service.ts';

const directory = mkdtempSync(join(tmpdir(), 'tradepost-brand-'));
const BRAND_LOGO = join(directory, 'logo.png');
writeFileSync(BRAND_LOGO, PNG);
after(() => rmSync(directory, { recursive: true }));

describe('mails without settings of a brand', () => {
  const parts = useMailService(sqlite);

  it('name the marketplace as the operator did at the first start', async () => {
    const { server, service } = parts();
    const first = await inviteNewUser(service);
    const before = await server.mailTo(first.email);
    assert.match(before.text, /invited to the Tradepost console of/);
    assert.match(before.text, /Tradepost sent this email automatically/);
    const marketplace = { name: 'Markt <1>', time_zone: 'UTC', currency: 'EUR' };
    await service.database.transaction((connection) =>
      connection.run(upsertMarketplace, { ...marketplace, now: 0 }),
    );
    const second = await inviteNewUser(service);
    const { text, html } = await server.mailTo(second.email);
    assert.match(text, /invited to the Markt <1> console of/);
    assert.match(html, /Markt &lt;1&gt; sent this email automatically/);
    assert.doesNotMatch(html, /<img|Tradepost/);
  });
});

describe('mails of a marketplace with a brand', () => {
  const environment = { BRAND_NAME: 'Vase & Co', BRAND_LOGO, BRAND_COLOR: '#ffcc00' };
  const parts = useMailService(sqlite, { environment });

  it('have its name, a logo that needs no download, and a button that can be read', async () => {
    const { server, service } = parts();
    const { email } = await inviteNewUser(service);
    const { text, html, images, headers } = await server.mailTo(email);
    assert.match(headers.get('content-type') ?? '', /^multipart\//);
    assert.match(text, /invited to the Vase & Co console of/);
    assert.match(html, /<img src="cid:logo" alt="Vase &amp; Co" height="40">/);
    assert.match(html, /<a href="https:[^"]+" style="[^"]*background:#\w{6};color:#000000/);
    assert.deepEqual(images, [{ type: 'image/png', id: '<logo>', bytes: PNG }]);
    assert.doesNotMatch(html.replaceAll(linkIn({ text, html }).href, ''), /https?:/);
  });
});

it('mails have no SVG logo, which many mail programs do not show', () => {
  const content = { subject: 'S', before: ['B'], link: null, after: [] };
  const logo = { type: 'image/svg+xml', bytes: Buffer.from(GOOD_SVG) } as const;
  const { html, image } = renderMail(content, { name: 'Vases', logo, color: null });
  assert.doesNotMatch(html, /<img/);
  assert.equal(image, null);
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseConfig, SettingError } from '../../src/config.ts';
import { examine } from '../../src/doctor/examine.ts';
import { temporaryDirectory } from '../support/process.ts';
import { GOOD_SVG, PNG } from './logos.ts';

const svg = (content: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

describe('the settings of the brand', () => {
  it('are a name, the content of a logo, and a color', async (t) => {
    assert.deepEqual(parseConfig({}).brand, { name: null, logo: null, color: null, support: null });
    const directory = await temporaryDirectory(t);
    for (const [content, type] of [
      [PNG, 'image/png'],
      [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0]), 'image/jpeg'],
      [Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
      [Buffer.from(GOOD_SVG), 'image/svg+xml'],
      [Buffer.from(`<?xml version="1.0"?>\n<!-- by hand -->\n${svg('')}`), 'image/svg+xml'],
    ] as const) {
      const file = join(directory, 'logo.bin');
      writeFileSync(file, content);
      const { brand } = parseConfig({ BRAND_NAME: ' Vase & Co ', BRAND_LOGO: file, BRAND_COLOR: '#B4005A' });
      const logo = { type, bytes: content };
      assert.deepEqual(brand, { name: 'Vase & Co', logo, color: '#b4005a', support: null });
    }
  });

  it('can have an address where people get help', () => {
    for (const address of ['https://help.example/', 'mailto:help@shop.example'])
      assert.equal(parseConfig({ SUPPORT_URL: address }).brand.support, address);
  });

  for (const [name, value, expected] of [
    ['BRAND_NAME', 'x'.repeat(41), /at most 40 characters/],
    ['BRAND_NAME', 'a\u202eb', /all of them visible/],
    ['BRAND_COLOR', 'red', /expected a color such as #/],
    ['BRAND_COLOR', '#fff', /BRAND_COLOR is "#fff"/],
    ['BRAND_COLOR', '#12345g', /expected a color/],
    ['SUPPORT_URL', 'javascript:alert(1)', /SUPPORT_URL is "javascript:.*expected an https:\/\/ address/],
    ['SUPPORT_URL', 'http://help.example', /expected an https:\/\/ address or a mailto: address/],
    ['SUPPORT_URL', 'mailto:help@shop.example?bcc=x@y.example', /expected an https/],
    ['SUPPORT_URL', 'mailto:a%zz@shop.example', /expected an https/],
    ['SUPPORT_URL', 'mailto:a%ff@shop.example', /expected an https/],
    ['SUPPORT_URL', 'mailto:help', /such as mailto:help@shop\.example/],
    ['BRAND_LOGO', '/no/such/file.png', /BRAND_LOGO is "\/no\/such\/file\.png": the file cannot be read/],
    ['BRAND_LOGO', import.meta.dirname, /cannot be read|expected a PNG/],
    ['BRAND_LOGO', import.meta.filename, /expected a PNG, JPEG, WebP or SVG image/],
  ] as const) {
    it(`${name} cannot be ${value.slice(0, 12)}`, () => {
      assert.throws(() => parseConfig({ [name]: value }), expected);
      assert.throws(() => parseConfig({ [name]: value }), SettingError);
    });
  }

  for (const [content, expected] of [
    [svg('<script>alert(1)</script>'), /the element script/],
    [svg('<x:script xmlns:x="http://www.w3.org/2000/svg">1</x:script>'), /the element script/],
    [svg('<SCRIPT/>'), /the element script/],
    [svg('<g onclick="x()"/>'), /the event handler onclick/],
    [svg('', 'onload="x()"'), /the event handler onload/],
    [svg('<foreignObject><p/></foreignObject>'), /the element foreignobject/],
    [svg('<set attributeName="href" to="javascript:1"/>'), /the element set/],
    [svg('<image href="https://example.com/a.png"/>'), /its attribute href/],
    [svg('<use xlink:href="other.svg#a"/>'), /its attribute href/],
    [svg('<a href="&#106;avascript:x()"><g/></a>'), /its attribute href/],
    [svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>'), /its attribute href/],
    [svg('<rect fill="url(https://example.com/a)"/>'), /its attribute fill/],
    [svg('<rect style="fill:u&#114;l(//example.com/a)"/>'), /its attribute style/],
    [svg('<rect style="fill:\\75rl(//example.com/a)"/>'), /its attribute style/],
    [svg('<style>@import "//example.com";</style>'), /its styles/],
    [svg('<style>@\\69mport "//example.com";</style>'), /its styles/],
    [svg('<style>rect { fill: src("//example.com") }</style>'), /its styles/],
    [svg('<h:form xmlns:h="http://www.w3.org/1999/xhtml"/>'), /elements that are not SVG/],
    [svg('<style><![CDATA[rect { fill: url("//example.com") }]]></style>'), /its styles/],
    [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`, /expected a PNG|defines entities/],
    [`<?xml version="1.0"?><?xml-stylesheet href="a.css"?>${svg('')}`, /expected a PNG|instruction/],
    [svg('<?xml-stylesheet href="a.css"?>'), /a processing instruction/],
    ['<html><svg></svg></html>', /expected a PNG/],
    ['x'.repeat(200_001), /has 200001 bytes: expected at most 200000/],
  ] as const) {
    it(`a logo cannot be ${content.slice(0, 140).replace(/^<svg[^>]*>/, '<svg>')}`, async (t) => {
      const file = join(await temporaryDirectory(t), 'logo.png');
      writeFileSync(file, content);
      assert.throws(() => parseConfig({ BRAND_LOGO: file }), expected);
    });
  }

  it('are checked by the doctor, which says where a color is changed', async (t) => {
    const directory = await temporaryDirectory(t);
    const file = join(directory, 'logo.svg');
    writeFileSync(file, svg('<script/>'));
    const environment = {
      DATA_DIR: directory,
      BRAND_LOGO: file,
      BRAND_COLOR: '#fc0',
      METRICS_ADDRESS: 'off',
    };
    const problems = await examine(environment, () => 0, { deep: false });
    assert.deepEqual(
      problems.map(({ check, result, message }) => `${check} ${result} ${message.split('"')[0]}`).sort(),
      ['settings problem BRAND_COLOR is ', 'settings problem BRAND_LOGO is '],
    );
    writeFileSync(file, GOOD_SVG);
    const findings = await examine({ ...environment, BRAND_COLOR: '#ffcc00' }, () => 0, { deep: false });
    const brand = findings.filter(({ check }) => check === 'brand').map(({ message }) => message);
    assert.match(brand[0] ?? '', /^BRAND_COLOR is #ffcc00: text is #\w{6} in the light theme, where/);
    assert.match(brand[1] ?? '', /SVG image, which mails do not show/);
  });
});

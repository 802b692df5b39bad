/** A violet square of 2 × 2 pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGOokl8ERAwQCgAh4gTtKB0t+gAAAABJRU5ErkJggg==',
  'base64',
);

/** With everything that a safe image may have. */
export const GOOD_SVG = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 40">
  <title>Vases</title>
  <style>.a { fill: url(#g) }</style>
  <defs><linearGradient id="g"><stop offset="0" stop-color="#7a1fa2"/><stop offset="1" stop-color="#e0218a"/></linearGradient></defs>
  <path id="p" class="a" d="M12 4h16l-4 8q10 12 0 24H16q-10-12 0-24z"/>
  <use xlink:href="#p" opacity="0.1"/>
</svg>
`;

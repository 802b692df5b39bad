import { Parser } from 'htmlparser2';

/** Elements that run scripts, show HTML or other files, or change attributes later. */
const unsafeElements = new Set([
  ...['animate', 'animatemotion', 'animatetransform', 'set', 'discard'],
  ...['script', 'handler', 'listener', 'foreignobject', 'canvas', 'audio', 'video'],
  ...['applet', 'base', 'embed', 'frame', 'iframe', 'link', 'meta', 'object'],
]);
/** Attributes that refer to something. */
const references = new Set(['href', 'src', 'srcset', 'base', 'data']);
const SAFE_REFERENCE = /^\s*(?:#|data:image\/(?:png|jpeg|webp);base64,)/i;
/** Styles that refer to something else than a part of the image, or may hide it behind escapes. */
const STYLE_REFERENCE = /url\(\s*(?!["']?#)|\bsrc\(|@import|image-set\(|\\/i;
/** Elements of these can do what elements of SVG cannot. */
const unsafeNamespaces = new Set(['http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML']);
/** With a subset, a document type can define entities, which would be replaced after this check. */
const UNSAFE_TYPE = /<!DOCTYPE[^>]*\[|<!ENTITY/i;
const UNSAFE_INSTRUCTION = /<\?(?!xml\s)/i;

/**
 * Returns which part of an SVG image could run a script or load another file; undefined if there is none. A
 * browser runs no scripts in the image anyway, because it is only shown as one.
 */
export function findUnsafePart(svg: string): string | undefined {
  if (UNSAFE_TYPE.test(svg)) return 'it defines entities';
  if (UNSAFE_INSTRUCTION.test(svg)) return 'it has a processing instruction';
  let found: string | undefined;
  let text = '';
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const element = localName(name);
        if (unsafeElements.has(element)) found ??= `it has the element ${element}`;
        for (const [attribute, value] of Object.entries(attributes))
          found ??= unsafeAttribute(attribute, value);
      },
      ontext: (part) => {
        text += part;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(svg);
  return found ?? (STYLE_REFERENCE.test(text) ? 'its styles refer to something else' : undefined);
}

function unsafeAttribute(attribute: string, value: string): string | undefined {
  if (/^xmlns(?:$|:)/i.test(attribute) && unsafeNamespaces.has(value.trim()))
    return 'it has elements that are not SVG';
  const name = localName(attribute);
  if (name.startsWith('on')) return `it has the event handler ${name}`;
  if (references.has(name) ? !SAFE_REFERENCE.test(value) : STYLE_REFERENCE.test(value))
    return `its attribute ${name} refers to something else`;
  return undefined;
}

/** Without the prefix of a namespace, in lower case. */
function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase();
}

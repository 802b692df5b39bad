import { Parser } from 'htmlparser2';

/** A tag, comment or CDATA section may be this long: it is in memory as a whole. */
const MAX_TOKEN = 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 256;

/** Names are without prefix. */
export interface XmlEvents {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The XML cannot be read. */
export class UnusableXml extends Error {
  override name = 'UnusableXml';
}

/**
 * Reads XML as it arrives, and yields after each chunk. Takes bounded memory. Only XML’s own entities
 * count: a document type definition, which could define others, is refused.
 * @throws {UnusableXml}
 */
export async function* readXmlEvents(chunks: AsyncIterable<Buffer>, events: XmlEvents): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let depth = 0;
  let attributes = 0;
  let silentFor = 0;
  const parser = new Parser(
    {
      onopentagname: () => {
        silentFor = 0;
        attributes = 0;
        if (++depth > MAX_DEPTH) throw new UnusableXml('the XML is nested too deeply');
      },
      onattribute: () => {
        silentFor = 0;
        if (++attributes > MAX_ATTRIBUTES) throw new UnusableXml('an XML tag has too many attributes');
      },
      onopentag: (name, values) => events.open?.(localName(name), values),
      ontext: (text) => {
        silentFor = 0;
        events.text?.(text);
      },
      onclosetag: (name) => {
        silentFor = 0;
        depth -= 1;
        events.close?.(localName(name));
      },
      onprocessinginstruction: (name) => {
        if (name.startsWith('!')) throw new UnusableXml('the XML has a document type definition');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for await (const chunk of chunks) {
    silentFor += chunk.length;
    if (silentFor > MAX_TOKEN) throw new UnusableXml('an XML tag is too long');
    parser.write(decode(decoder, chunk));
    yield;
  }
  parser.end(decode(decoder));
  yield;
}

/** Reads XML to its end, unless `isEnough` says so earlier. @throws {UnusableXml} */
export async function readXmlTo(
  chunks: AsyncIterable<Buffer>,
  events: XmlEvents,
  isEnough: () => boolean = () => false,
): Promise<void> {
  for await (const _ of readXmlEvents(chunks, events)) if (isEnough()) return;
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new UnusableXml('the XML is not UTF-8');
  }
}

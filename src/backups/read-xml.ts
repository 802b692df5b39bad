import { Parser } from 'htmlparser2';

/** An element, with its text and the elements in it. */
class Element {
  readonly name: string;
  readonly children: Element[] = [];
  content = '';

  constructor(name: string) {
    this.name = name;
  }

  /** Returns all elements below with this name. */
  all(name: string): Element[] {
    return this.children.flatMap((child) => [...(child.name === name ? [child] : []), ...child.all(name)]);
  }

  /** Returns the text of the first element below with this name; blank if there is none. */
  text(name: string): string {
    return this.all(name)[0]?.content.trim() ?? '';
  }
}

/** Reads XML, and of text that is not XML, what can be read. */
export function readXml(text: string): Element {
  const root = new Element('');
  const open = [root];
  const parser = new Parser(
    {
      onopentag: (name) => {
        const element = new Element(name);
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext: (data) => {
        const element = open.at(-1);
        if (element !== undefined) element.content += data;
      },
      onclosetag: () => {
        if (open.length > 1) open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return root;
}

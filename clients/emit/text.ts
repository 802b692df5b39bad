/** Breaks a text into lines of at most `width` columns. Blank lines of the text stay. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1) ?? '';
      if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
      else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    }
    return lines;
  });
}

/** `listProducts`, `WebhookDelivery` and `external_id` become `list_products` and so on. */
export function snake(name: string): string {
  return lowerFirst(name).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `external_id` becomes `externalId`. */
export function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function indent(lines: readonly string[], by: string): string[] {
  return lines.map((line) => (line === '' ? '' : by + line));
}

export const HEADER = 'Generated from the OpenAPI documents by `npm run build`.';

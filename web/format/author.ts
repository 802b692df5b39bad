interface Person {
  name: string;
  email: string;
}

/** Reads `Ada Miller <ada@example.com>`, as entries name people. Returns undefined for other text. */
export function readPerson(text: string): Person | undefined {
  const [, name, email] = /^(.+) <([^<>\s]+)>$/s.exec(text) ?? [];
  return name === undefined || email === undefined ? undefined : { name, email };
}

/** Returns for example `Ada Miller (ada@example.com)`, and other text as it is. */
export function wordPerson(text: string): string {
  const person = readPerson(text);
  return person === undefined ? text : `${person.name} (${person.email})`;
}

/** Words who did something, such as `operator Ada Miller <ada@example.com>` or `key 12-3`. */
export function wordAuthor(author: string): string {
  return wordPerson(author).replace(
    /^(operator|key)\b/,
    (kind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
  );
}

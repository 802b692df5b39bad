const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow them in strings
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Where a text stops being JSON, line and column from 1, and what was expected there. */
interface JsonError {
  line: number;
  column: number;
  expected: string;
}

/** Returns undefined if the text is JSON. Unlike the message of `JSON.parse`, quotes nothing. */
export function findJsonError(json: string): JsonError | undefined {
  const open: ('{' | '[')[] = [];
  let position = 0;
  const fail = (expected: string): JsonError => ({ ...placeOf(json, position), expected });
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = position;
    if (!pattern.test(json)) return false;
    position = pattern.lastIndex;
    return true;
  };
  const skipCharacter = (character: string): boolean => {
    skip(SPACE);
    if (json[position] !== character) return false;
    position += 1;
    return true;
  };
  const skipName = (): string | undefined => {
    skip(SPACE);
    if (!skip(STRING)) return 'a name in double quotes';
    return skipCharacter(':') ? undefined : 'a colon';
  };
  for (;;) {
    skip(SPACE);
    let isComplete = false;
    if (skipCharacter('{')) {
      isComplete = skipCharacter('}');
      const expected = isComplete ? undefined : skipName();
      if (expected !== undefined) return fail(expected);
      if (!isComplete) open.push('{');
    } else if (skipCharacter('[')) {
      isComplete = skipCharacter(']');
      if (!isComplete) open.push('[');
    } else if (skip(STRING) || skip(SCALAR)) {
      isComplete = true;
    } else {
      return fail('a value');
    }
    while (isComplete) {
      const within = open.at(-1);
      if (within === undefined) {
        skip(SPACE);
        return position === json.length ? undefined : fail('the end of the text');
      }
      const end = within === '{' ? '}' : ']';
      if (skipCharacter(end)) {
        open.pop();
      } else if (skipCharacter(',')) {
        const expected = within === '{' ? skipName() : undefined;
        if (expected !== undefined) return fail(expected);
        isComplete = false;
      } else {
        return fail(`a comma or ${end}`);
      }
    }
  }
}

function placeOf(json: string, position: number): { line: number; column: number } {
  const before = json.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 };
}

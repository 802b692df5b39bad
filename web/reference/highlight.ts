export interface Token {
  text: string;
  kind?: 'comment' | 'key' | 'text' | 'word' | 'number';
}

const KINDS = ['comment', 'key', 'text', 'word', 'number'] as const;

/** Parts of a program in one of the samples' languages or of JSON. A key is a quoted text before a colon. */
const PARTS = new RegExp(
  [
    String.raw`(?<comment>(?:^|(?<=\s))(?:#|//).*$)`,
    String.raw`(?<key>"(?:\\.|[^"\\\n])*"(?=:))`,
    String.raw`(?<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")`,
    String.raw`(?<word>\b(?:import|from|const|new|await|require|echo|print|true|false|null|True|False|None|curl)\b)`,
    String.raw`(?<number>(?<![\w$.-])-?\d+(?:\.\d+)?\b)`,
  ].join('|'),
  'gm',
);

/** Splits a program into parts to color. Their texts together are the program. */
export function highlight(program: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of program.matchAll(PARTS)) {
    if (match.index > end) tokens.push({ text: program.slice(end, match.index) });
    const kind = KINDS.find((kind) => match.groups?.[kind] !== undefined);
    tokens.push({ text: match[0], ...(kind !== undefined && { kind }) });
    end = match.index + match[0].length;
  }
  if (end < program.length) tokens.push({ text: program.slice(end) });
  return tokens;
}

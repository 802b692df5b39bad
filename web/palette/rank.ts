import { fuzzyMatch, type Mark, STRONG } from './fuzzy.ts';

/** Something that a palette can do. */
export interface Command {
  id: string;
  /** The heading that it is listed below. */
  group: string;
  label: string;
  hint?: string;
  /** Other words for it, which are found and not shown. */
  alias?: string;
  /** The keys that do the same. */
  keys?: readonly string[];
  /** Whether it comes after what the server finds, because there are many of its kind. */
  isOneOfMany?: boolean;
  run: () => void;
}

/** A command that was found, with what matches. */
export interface Ranked extends Command {
  score: number;
  marks: readonly Mark[];
  hintMarks: readonly Mark[];
}

/** An alias counts a little less than the label, which the user sees. */
const ALIAS_COST = 3;
const MAX_OF_MANY = 8;
/** So that a number names no command: it is meant for what the server knows by it, such as an order. */
const NUMBER_COST = 25;
const NUMBER = /^\d+$/;

/**
 * Returns the commands for a text, best first, as one list for each group. What the server has found comes
 * after the commands that the text names, and before those that it only resembles. The order of what is
 * already listed does not depend on the server, so that Enter does what the user has seen.
 */
export function rank(commands: readonly Command[], found: readonly Command[], text: string): Ranked[] {
  const local = commands.flatMap((command) => rankOne(command, text) ?? []);
  if (text === '') return [...found.map((command) => showMarks(command, text)), ...local];
  local.sort((one, other) => other.score - one.score);
  const groups = [...Map.groupBy(local, ({ group }) => group).values()].map((group) =>
    group[0]?.isOneOfMany === true ? group.slice(0, MAX_OF_MANY) : group,
  );
  const [named, others] = [true, false].map((wanted) =>
    groups.filter(([best]) => (best !== undefined && isNamed(best)) === wanted).flat(),
  );
  return [...(named ?? []), ...found.map((command) => showMarks(command, text)), ...(others ?? [])];
}

/**
 * Whether a text names a command, which Enter then runs before the server has answered. A number names none.
 */
export function isNamed({ score, isOneOfMany = false }: Ranked): boolean {
  return score >= STRONG && !isOneOfMany;
}

function rankOne(command: Command, text: string): Ranked | undefined {
  const { label, hint, alias } = command;
  const ofLabel = fuzzyMatch(label, text);
  const others = [hint, alias].flatMap((each) => (each === undefined ? [] : (fuzzyMatch(each, text) ?? [])));
  const scores = [
    ...(ofLabel === undefined ? [] : [ofLabel.score]),
    ...others.map(({ score }) => score - ALIAS_COST),
  ];
  if (scores.length === 0) return undefined;
  const score = Math.max(...scores) - (NUMBER.test(text) ? NUMBER_COST : 0);
  return { ...showMarks(command, text), score };
}

/** The server has other rules, by which it also finds what has no marks. */
function showMarks(command: Command, text: string): Ranked {
  const { label, hint = '' } = command;
  return {
    ...command,
    score: 0,
    marks: fuzzyMatch(label, text)?.marks ?? [],
    hintMarks: fuzzyMatch(hint, text)?.marks ?? [],
  };
}

import { advance, byItself } from "./model/advance.ts";
import type { Circumstances, Command } from "./model/commands.ts";
import type { Rules, State } from "./model/state.ts";

/** Something that was asked of a trade, when, and what was answered. */
export type Operation = {
  command: Command;
  how: Circumstances;
  /** Milliseconds of one clock: it took effect somewhere between the two. */
  from: number;
  to: number;
  /** The code it was refused with. */
  refused: string | null;
  /** What its answer said, in short, for people. */
  says?: string;
  /** What its answer said of the trade, for the model to agree with. */
  agrees: (state: State) => boolean;
};

/** A state, and for each operation its next step; -1 once it is over. */
type Node = { state: State; steps: number[] };

/** How the trade was found afterwards: whether a state is that one, and whether one may have led to it at all. */
export type Found = { is: (state: State) => boolean; mayFollow: (state: State) => boolean };

/**
 * Explains what was asked and answered within a burst, and how the trade was found afterwards, by some serial order (Wing and
 * Gong): each step of a command lies between its question and its answer, and whatever happens by itself lies anywhere. Answers
 * the state that it leads to, which what was found leaves no choice about; or, where no order explains it, how far all did.
 */
export function linearize(
  before: State,
  operations: readonly Operation[],
  rules: Rules,
  found: Found,
): { state: State } | { ends: State[]; given: boolean } {
  const seen = new Set<string>();
  const ends = new Map<string, State>();
  const open: Node[] = [{ state: before, steps: operations.map(() => 0) }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const text = JSON.stringify(node.state);
    const key = `${node.steps} ${text}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > MOST_NODES) return { ends: [...ends.values()], given: true };
    if (node.steps.every((step) => step < 0)) {
      if (found.is(node.state)) return { state: node.state };
      ends.set(text, node.state);
    }
    // The last is looked at first: commands before what happens by itself.
    open.push(...following(node, operations, rules).filter(({ state }) => found.mayFollow(state)));
  }
  return { ends: [...ends.values()], given: false };
}

const MOST_NODES = 50_000;

function following(node: Node, operations: readonly Operation[], rules: Rules): Node[] {
  const next: Node[] = byItself(node.state, rules).map((state) => ({ state, steps: node.steps }));
  for (const [i, operation] of operations.entries()) {
    if (!mayGo(operations, node.steps, i)) continue;
    const after = stepped(node, i, operation, rules);
    // What changed nothing wherever it stood (it was refused, or only looked) may as well stand here, where it is explained.
    const refused = operation.refused !== null && operation.command.do !== "report";
    const nothing = refused || operation.command.do === "look";
    const idle = nothing ? after.find(({ steps }) => steps[i] === -1) : undefined;
    if (idle !== undefined) return [idle];
    next.push(...after);
  }
  return next;
}

/** Whatever had been answered before this was asked is over. */
function mayGo(all: readonly Operation[], steps: readonly number[], i: number): boolean {
  const { from } = all[i] as Operation;
  return steps[i] !== -1 && all.every((other, k) => steps[k] === -1 || other.to >= from);
}

function stepped({ state, steps }: Node, i: number, operation: Operation, rules: Rules): Node[] {
  const { command, how, refused, agrees } = operation;
  return advance(state, command, how, rules, steps[i]).flatMap((so): Node[] => {
    const over = so.next === undefined;
    if (over && ((so.refused ?? null) !== refused || !agrees(so.state))) return [];
    return [{ state: so.state, steps: steps.map((step, k) => (k === i ? (so.next ?? -1) : step)) }];
  });
}

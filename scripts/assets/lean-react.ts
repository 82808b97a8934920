import type { BunPlugin } from "bun";
import { parseSync } from "vite";

/**
 * Functions of react-dom that only do something for elements which the room never draws. They are called, and find nothing: without their
 * bodies the script is several KB smaller, on every phone that opens a room.
 */
const idleFunctions = [
  // <ViewTransition>
  "applyViewTransitionName",
  "applyViewTransitionToHostInstances",
  "applyViewTransitionToHostInstancesRecursive",
  "commitAfterMutationEffectsOnFiber",
  "commitAppearingPairViewTransitions",
  "commitDeletedPairViewTransitions",
  "commitEnterViewTransitions",
  "commitExitViewTransitions",
  "commitNestedViewTransitions",
  "createViewTransitionInstance",
  "measureNestedViewTransitions",
  "measureViewTransitionHostInstancesRecursive",
  "restoreEnterOrExitViewTransitions",
  "restoreNestedViewTransitions",
  "restorePairedViewTransitions",
  "restoreViewTransitionName",
  "restoreViewTransitionOnHostInstances",
  "scheduleViewTransitionEvent",
  "startViewTransition",
  "trackEnterViewTransitions",
  // A ref on a <Fragment>
  "commitFragmentInstanceDeletionEffects",
  "commitFragmentInstanceInsertionEffects",
  "commitNewChildToFragmentInstances",
  "validateDocumentPositionWithFiberTree",
  // A function as the action of a <form>, beside the events of every page
  "extractEvents$1",
];

/** What React would do for elements and hooks that the room does not use. It ends with an error instead of silence. */
const unusedFunctions = [
  // <ViewTransition>, a ref on a <Fragment>
  "ViewTransitionPseudoElement",
  "FragmentInstance",
  // <link>, <style>, <script>, <title> and <meta> that React moves to the head, and preloading
  "acquireResource",
  "adoptPreloadPropsForScript",
  "adoptPreloadPropsForStylesheet",
  "createHoistableInstance",
  "getHydratableHoistableCache",
  "getResource",
  "insertStylesheet",
  "insertStylesheetIntoRoot",
  "insertSuspendedStylesheets",
  "mountHoistable",
  "preconnectAs",
  "preinitModuleScript",
  "preinitScript",
  "preinitStyle",
  "preload",
  "preloadModule",
  "preloadResource",
  "preloadStylesheet",
  "suspendResource",
  // <Activity>, <SuspenseList>, custom elements
  "mountActivityChildren",
  "updateActivityComponent",
  "updateSuspenseListComponent",
  "setPropOnCustomElement",
  // useActionState, useOptimistic
  "actionStateReducer",
  "dispatchActionState",
  "dispatchOptimisticSetState",
  "mountActionState",
  "rerenderActionState",
  "runActionStateAction",
  "updateActionStateImpl",
  "updateOptimisticImpl",
];

/** Functions whose result is reduced: the component names in an error's stack, which nothing reads. */
const shortenedFunctions = new Map([["describeNativeComponentFrame", '{ return ""; }']]);

/** Leaves out of react-dom what the room does not use. A name that a new version of React does not have stops the build. */
export function leanReact(): BunPlugin {
  return {
    name: "lean-react",
    setup(build) {
      build.onLoad({ filter: /react-dom-client\.production\.js$/ }, async ({ path }) => ({
        contents: leaveOutUnused(await Bun.file(path).text()),
        loader: "js",
      }));
    },
  };
}

function leaveOutUnused(source: string): string {
  const bodies = new Map([
    ...idleFunctions.map((name) => [name, "{}"] as const),
    ...unusedFunctions.map((name) => [name, `{ throw Error("lean-react"); }`] as const),
    ...shortenedFunctions,
  ]);
  const cuts: Array<{ start: number; end: number; text: string }> = [];
  for (const statement of parseSync("react-dom.js", source).program.body) {
    const { start, end } = statement;
    if (statement.type === "ExpressionStatement") {
      if (/^(?:FragmentInstance|ViewTransitionPseudoElement)\.prototype\./.test(source.slice(start, end)))
        cuts.push({ start, end, text: "" });
    } else if (statement.type === "FunctionDeclaration" && statement.body !== null) {
      const text = bodies.get(statement.id?.name ?? "");
      if (text === undefined || !bodies.delete(statement.id?.name ?? "")) continue;
      cuts.push({ start: statement.body.start, end: statement.body.end, text });
    }
  }
  if (bodies.size > 0) throw new Error(`react-dom has no function ${[...bodies.keys()].join(", ")}`);
  return cuts.reduceRight((text, cut) => text.slice(0, cut.start) + cut.text + text.slice(cut.end), source);
}

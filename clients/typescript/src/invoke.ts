import { Permanent } from "./errors.js";
import { type Node, resultOf } from "./graph.js";
import type { Job } from "./job.js";
import type { Workflow } from "./workflow.js";

/** handlersOf returns the functions of a workflow's steps, and their undo functions, by the names of their handlers. */
export function handlersOf(flow: Workflow<any, any>): Map<string, (job: Job<any>) => unknown> {
  const handlers = new Map<string, (job: Job<any>) => unknown>();
  for (const node of flow.steps) {
    const name = node.fields["handler"];
    const own = name === `${flow.prefix}.${node.name}`;
    if (own && !node.run) throw new Error(`step "${node.name}" of ${flow.prefix} has no function: give it to implement, or name the handler of another program`);
    if (typeof name === "string" && node.run) handlers.set(name, (job) => invoke(node, job));
    if (node.undoing) handlers.set(node.fields["compensate"] as string, (job) => undo(node, job));
  }
  return handlers;
}

/** invoke calls a step's function with its arguments. */
export async function invoke(node: Node, job: Job<any>): Promise<unknown> {
  const args: unknown[] = [job];
  if (node.over) args.push((job.inputs as { element: unknown }).element);
  if (node.takes.shape === "failures") args.push((job.inputs as { failures: unknown }).failures);
  else if (node.takes.shape !== "none") args.push(taken(node, await job.parents()));
  return node.run!(...args);
}

/** taken returns the results of a step's dependencies in the shape of the step's after. The step's function gets them in this shape. */
export function taken(node: Node, found: Record<string, unknown>): unknown {
  const { shape, of, optional } = node.takes;
  if (shape === "failures") throw new TypeError(`step "${node.name}" takes failures`);
  const results = of.map(([alias, before]): [string, unknown] => {
    if (Object.hasOwn(found, before.name)) return [alias, resultOf(before, found[before.name])];
    if (optional) return [alias, undefined];
    throw new Permanent(`step "${node.name}" has no result of "${before.name}": it was resolved without one. Resolve it with a result, or take it with settled`);
  });
  return shape === "one" ? results[0]![1] : shape === "array" ? results.map(([, result]) => result) : Object.fromEntries(results);
}

export async function undo(node: Node, job: Job<any>): Promise<unknown> {
  const { result, result_unknown, initialization } = job.inputs as { result?: unknown; result_unknown?: boolean; initialization?: { element?: unknown } };
  const known = result_unknown ? { known: false } : { known: true, result: node.over ? (result ?? null) : resultOf(node, result ?? null) };
  return node.undoing!(...(node.over ? [job, known, initialization?.element] : [job, known]));
}

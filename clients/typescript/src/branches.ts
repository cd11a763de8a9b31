// This module computes, in memory, the states of a workflow's steps by the engine's rules for joins, failures, branches and races.

import type { Failure, Node } from "./graph.js";

type State = "pending" | "ready" | "waiting" | "complete" | "skipped" | "timed out" | "failed" | "cancelled" | "error";

/** Branches has the states of the steps. A step that has failed is in the state "failed" if another step waits for its failure, and
 * otherwise in the state "error". The function met takes a step and the position of one of its dependencies, and says whether the result of
 * the dependency satisfies the step. */
export class Branches {
  readonly state = new Map<string, State>();
  readonly failures: Failure[] = [];
  readonly #before = new Map<string, Set<string>>();
  readonly #waitedFor = new Set<string>();

  constructor(readonly nodes: readonly Node[], readonly halts: boolean, readonly met: (node: Node, at: number) => boolean) {
    for (const { name, deps } of nodes) {
      this.state.set(name, "pending");
      this.#before.set(name, new Set(deps.flatMap(({ step }) => [step.name, ...this.#before.get(step.name)!])));
    }
    for (const { on, deps } of nodes) {
      if (on === undefined) continue;
      for (const { step } of deps) for (const name of [step.name, ...this.#before.get(step.name)!]) this.#waitedFor.add(name);
    }
  }

  /** next returns the step to run, or undefined if no step can run. Steps that wait for signals come last, since signals arrive last. */
  next(): Node | undefined {
    while (this.#decide());
    const ready = this.nodes.filter(({ name }) => this.state.get(name) === "ready");
    return ready.find(({ waits }) => !waits) ?? ready[0];
  }

  /** failed records that a step has failed for good. */
  failed(failure: Failure): void {
    this.state.set(failure.step, this.#waitedFor.has(failure.step) ? "failed" : "error");
    this.failures.push(failure);
  }

  /** above returns the failures that a step gets which waits for a failure, in the order in which they happened. */
  above(node: Node): Failure[] {
    return this.failures.filter(({ step }) => this.#before.get(node.name)!.has(step) && this.state.get(step) === "failed");
  }

  /** of returns the names of the steps in these states, in the order of the steps. */
  of(...states: State[]): string[] {
    return this.nodes.map(({ name }) => name).filter((name) => states.includes(this.state.get(name)!));
  }

  #settled(name: string): boolean {
    return ["complete", "skipped", "timed out", "failed", "cancelled"].includes(this.state.get(name)!);
  }

  #met(node: Node, at: number): boolean {
    const { step } = node.deps[at]!;
    if (node.on === undefined) return this.state.get(step.name) === "complete" && this.met(node, at);
    return this.#broken(step) || (node.on === "ended" && this.state.get(step.name) === "complete");
  }

  /** #broken says whether a step failed, or was skipped because an earlier step failed. */
  #broken(node: Node): boolean {
    const state = this.state.get(node.name);
    return state === "failed" || (state === "skipped" && node.on === undefined && node.deps.some(({ step }) => this.#broken(step)));
  }

  /** #decide finds the first step that can become ready or be skipped, and changes its state. After a failure that halts the task no step
   * becomes ready. */
  #decide(): boolean {
    const halted = this.halts && [...this.state.values()].includes("error");
    for (const node of this.nodes) {
      if (this.state.get(node.name) !== "pending") continue;
      const join = node.fields["join"];
      const holds = node.deps.map((_, at) => this.#met(node, at));
      const settled = node.deps.every(({ step }) => this.#settled(step.name));
      const any = node.deps.length === 0 || holds.some(Boolean);
      const runs = join === "first" ? any : settled && (join === "settled" || (join === "any" ? any : holds.every(Boolean)));
      if (runs && !halted) {
        this.state.set(node.name, "ready");
        if (join === "first" && !settled) for (const loser of this.#losers(node.name)) this.state.set(loser, "cancelled");
      } else if (settled && !runs) {
        this.state.set(node.name, "skipped");
      } else {
        continue;
      }
      return true;
    }
    return false;
  }

  /** #losers returns the steps before a race that have not ended and that no other step needs. */
  #losers(race: string): Set<string> {
    const above = this.#before.get(race)!;
    const open = new Set([...above].filter((name) => !this.#settled(name)));
    const needing = this.nodes.filter(({ name }) => name !== race && !above.has(name) && this.state.get(name) === "pending");
    while (needing.length > 0) {
      for (const { step } of needing.pop()!.deps) if (open.delete(step.name)) needing.push(step);
    }
    return open;
  }
}

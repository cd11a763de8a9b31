// This module erases the data of ended tasks permanently. It erases one task, or all matching tasks in batches.

import { type Caller, transportOf } from "./handle.js";
import { prune } from "./graph.js";

/** Erased is a task and the outcome of its erasure. The outcome is "erased", or "already" if an earlier call erased the task, or "matched"
 * in a dry run. An erasure of many tasks may leave tasks out: their outcome, "open", "noted", "acted_on" or "locked", says why. The field
 * root_uuid is the task that the caller named or the filter found. */
export interface Erased {
  readonly task_uuid: string;
  readonly root_uuid: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly state: string;
  readonly outcome: "erased" | "already" | "matched" | "open" | "noted" | "acted_on" | "locked";
}

/** EraseOptions has the reason and the actor. withChildren says whether to erase also the tasks that the task's steps started. The reason
 * is kept, so it should name a request and no person. */
export interface EraseOptions {
  reason: string;
  actor?: string;
  withChildren?: boolean;
}

/** EraseFilter says which tasks to erase: a task must match every given field. */
export interface EraseFilter {
  tags?: readonly string[];
  key?: string;
  namespace?: string;
  name?: string;
  version?: string;
  requestedAfter?: Date;
  requestedBefore?: Date;
}

/** eraseTask erases the data of a task that has ended: context, results, errors, signals and the like. States, times and counts stay. With
 * withChildren the call erases either all these tasks or none. It refuses an open task: cancel the task first. The call may be repeated. */
export async function eraseTask(on: Caller, taskUUID: string, { reason, actor, withChildren }: EraseOptions): Promise<Erased[]> {
  const body = prune({ reason, actor, children: withChildren });
  return (await transportOf(on).call<{ items: Erased[] }>("POST", `/v1/tasks/${encodeURIComponent(taskUUID)}/erase`, body)).items;
}

/** eraseTasks erases matching tasks as eraseTask does, the oldest task first. Each step of the iterator erases one batch in one
 * transaction, so a program that was stopped may begin again. It leaves out open and busy tasks, and their outcome says why. */
export async function* eraseTasks(
  on: Caller, filter: EraseFilter, { reason, actor, withChildren, dryRun, batch = 100 }: EraseOptions & { dryRun?: boolean; batch?: number },
): AsyncGenerator<Erased[], void> {
  const { requestedAfter, requestedBefore, ...others } = filter;
  const body = prune({
    ...others, requested_after: requestedAfter?.toISOString(), requested_before: requestedBefore?.toISOString(), reason, actor, children: withChildren,
    dry_run: dryRun, limit: batch,
  });
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { items: Erased[]; next_cursor: string | null } = await transportOf(on).call("POST", "/v1/tasks/erase", prune({ ...body, cursor }));
    if (page.items.length > 0) yield page.items;
    cursor = page.next_cursor;
  }
}

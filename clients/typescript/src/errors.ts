/** Permanent fails a step for good when its handler throws it. It marks an error that another attempt would not mend. */
export class Permanent extends Error {
  override name = "Permanent";
}

/** When a handler throws Retry, its step is tried again after the given seconds instead of the template's backoff. */
export class Retry extends Error {
  override name = "Retry";
  constructor(message: string, readonly after: number) {
    super(message);
  }
}

/** When a handler throws Snooze, its step runs again after the given seconds without a failure: the attempt does not count. The message
 * stands in the history of the step. A snooze lasts from a millisecond to a year. */
export class Snooze extends Error {
  override name = "Snooze";
  constructor(message: string, readonly after: number) {
    super(message);
  }
}

/** Misfit says that the result of a step above, which it names, does not fit this build. Another worker may have a build that fits. So a
 * handler that throws a Misfit, or an error caused by a Misfit, leaves the step to other workers, and the attempt does not count. */
export class Misfit extends Error {
  override name = "Misfit";
  constructor(readonly step: string, message: string) {
    super(message);
  }
}

/** misfitIn returns the Misfit in an error: the error itself, its cause, or one of its errors. */
export function misfitIn(error: unknown): Misfit | undefined {
  const seen = new Set<unknown>();
  for (const left = [error]; left.length > 0; ) {
    const next = left.shift();
    if (next instanceof Misfit) return next;
    if (!(next instanceof Error) || seen.has(next)) continue;
    seen.add(next);
    left.push(next.cause, ...(next instanceof AggregateError ? next.errors : []));
  }
  return undefined;
}

/** Lost says that the step no longer belongs to this worker: another attempt may run elsewhere. Lost is the reason of job.signal. */
export class Lost extends Error {
  override name = "Lost";
}

/** Cancelled says that the step was cancelled. Cancelled is the reason of job.signal. */
export class Cancelled extends Error {
  override name = "Cancelled";
}

/** TimedOut says that the step's time is over. TimedOut is the reason of job.signal. */
export class TimedOut extends Error {
  override name = "TimedOut";
}

/** KeptError is the error with which a call of a durable function failed for good, in this run or in an earlier one. */
export class KeptError extends Error {
  override name = "KeptError";
  constructor(readonly call: string, readonly text: string) {
    super(`${call}: ${text}`);
  }
}

/** Uncertain says that the transaction of a result got no answer: the handler runs again, and its transaction counts once. */
export class Uncertain extends Error {
  override name = "Uncertain";
}

/** ApiError says that the server refused a request: the server would refuse another try, too. code is the error code, such as TK404. */
export class ApiError extends Error {
  override name = "ApiError";
  constructor(readonly status: number, readonly code: string, readonly detail: string, readonly hint: string) {
    super(hint ? `${detail} | ${hint} (${code})` : `${detail} (${code})`);
  }
}

/** Unauthorized says that the token is not valid, or no longer valid. */
export class Unauthorized extends ApiError {
  override name = "Unauthorized";
}

/** awaitsAPerson says whether a refusal judges the token, its rights or the database, and not the request. The request succeeds when a
 * person has mended them. */
export function awaitsAPerson(error: ApiError): boolean {
  return [401, 403, 507].includes(error.status);
}

/** Unavailable says that the server did not answer, or cannot serve the request now. The same request may succeed later. status is 0
 * without an answer. */
export class Unavailable extends Error {
  override name = "Unavailable";
  constructor(message: string, readonly status = 0) {
    super(message);
  }
}

/** concernsSome says whether a refusal of a call may concern only some of its items, so that the call should be split. One item may make
 * the server fail. */
export function concernsSome(error: unknown): boolean {
  return error instanceof Unavailable ? error.status === 500 : error instanceof ApiError && !(error instanceof Unauthorized);
}

/** Undelivered says that the worker has stopped, and results could not be recorded: their steps run again when their leases have ended. */
export class Undelivered extends Error {
  override name = "Undelivered";
  constructor(readonly results: number) {
    super(`${results} results could not be recorded before the worker stopped: the server did not judge them`);
  }
}

/** Blocked says that a task cannot continue without an operator, because a step has failed for good. */
export class Blocked extends Error {
  override name = "Blocked";
  constructor(readonly task: { task_uuid: string }) {
    super(`task ${task.task_uuid} is blocked by failures: retry the failed steps, resolve them, or give the task up`);
  }
}

/** TaskFailed says that a task has ended without a result, or cannot continue without an operator. It has the state of the task, the failed
 * step, and the error of that step. */
export class TaskFailed extends Error {
  override name = "TaskFailed";
  constructor(readonly taskUUID: string, readonly state: string, readonly step: string | undefined, readonly stepError: string | undefined) {
    super(`task ${taskUUID} is ${state}${step === undefined ? "" : `: step "${step}": ${stepError ?? "no error is recorded"}`}`);
  }
}

/** textOf returns the text of an error to record. A property errorClass names the class by which incidents distinguish causes. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error) || "an empty error";
  if ("errorClass" in error && typeof error.errorClass === "string" && error.errorClass) return `[class=${error.errorClass}] ${error.message}`;
  return error.message ? (error instanceof Permanent || error instanceof KeptError || error.name === "Error" ? error.message : `${error.name}: ${error.message}`) : error.name;
}

/** stored returns a text in the form that the database takes: no zero byte, no half of a surrogate pair, 65,536 characters at most. */
export function stored(text: string): string {
  return text.slice(0, 65_536).replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

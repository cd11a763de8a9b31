/** Permanent fails a step for good when its handler throws it: another attempt would make no sense. */
export class Permanent extends Error {
  override name = "Permanent";
}

/** Retry has a step tried again after so many seconds when its handler throws it, instead of when the template says. */
export class Retry extends Error {
  override name = "Retry";
  constructor(message: string, readonly after: number) {
    super(message);
  }
}

/** Misfit says that the result of a step above, which it names, does not fit this build. Another worker may have the build that fits, so a
 * handler that throws it, or an error that it caused, leaves the step to others, and the attempt does not count. */
export class Misfit extends Error {
  override name = "Misfit";
  constructor(readonly step: string, message: string) {
    super(message);
  }
}

/** misfitIn is the misfit that an error is, that is its cause, or that is among its errors. */
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

/** Lost says that the step is no longer this worker's: another attempt may run elsewhere. It is the reason of job.signal. */
export class Lost extends Error {
  override name = "Lost";
}

/** Cancelled says that the step was cancelled. It is the reason of job.signal. */
export class Cancelled extends Error {
  override name = "Cancelled";
}

/** TimedOut says that the step's time is over. It is the reason of job.signal. */
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

/** ApiError says that the server refused a request: another try would be refused, too. code is TK404 and the like. */
export class ApiError extends Error {
  override name = "ApiError";
  constructor(readonly status: number, readonly code: string, readonly detail: string, readonly hint: string) {
    super(hint ? `${detail} | ${hint} (${code})` : `${detail} (${code})`);
  }
}

/** Unauthorized says that the token is not valid, or no longer. */
export class Unauthorized extends ApiError {
  override name = "Unauthorized";
}

/** awaitsAPerson is whether a refusal judges the token, its rights or the database, not the request: it succeeds when a person has mended
 * them. */
export function awaitsAPerson(error: ApiError): boolean {
  return [401, 403, 507].includes(error.status);
}

/** Unavailable says that the server did not answer, or cannot now: the same request may succeed later. status is 0 without an answer. */
export class Unavailable extends Error {
  override name = "Unavailable";
  constructor(message: string, readonly status = 0) {
    super(message);
  }
}

/** concernsSome is whether a refusal of a call may concern some of its items only, so that the call is to be taken apart. One of them may make
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

/** Blocked says that a task cannot go on by itself: a step has failed for good, and an operator decides. */
export class Blocked extends Error {
  override name = "Blocked";
  constructor(readonly task: { task_uuid: string }) {
    super(`task ${task.task_uuid} is blocked by failures: retry the failed steps, resolve them, or give the task up`);
  }
}

/** TaskFailed says that a task has ended without a result, or cannot go on by itself: its state, the step that failed, and that step's error. */
export class TaskFailed extends Error {
  override name = "TaskFailed";
  constructor(readonly taskUUID: string, readonly state: string, readonly step: string | undefined, readonly stepError: string | undefined) {
    super(`task ${taskUUID} is ${state}${step === undefined ? "" : `: step "${step}": ${stepError ?? "no error is recorded"}`}`);
  }
}

/** textOf is what is recorded of an error. A property errorClass names the class by which incidents tell causes apart. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error) || "an empty error";
  if ("errorClass" in error && typeof error.errorClass === "string" && error.errorClass) return `[class=${error.errorClass}] ${error.message}`;
  return error.message ? (error instanceof Permanent || error instanceof KeptError || error.name === "Error" ? error.message : `${error.name}: ${error.message}`) : error.name;
}

/** stored is a text as the database takes it: no zero byte, no half of a surrogate pair, 65,536 characters at most. */
export function stored(text: string): string {
  return text.slice(0, 65_536).replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

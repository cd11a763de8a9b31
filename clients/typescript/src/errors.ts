/** Permanent fails a step for good when the step's handler throws it. Use it for an error that another attempt cannot avoid. */
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

/** When a handler throws Snooze, its step runs again after the given seconds without a failure: the attempt does not count. The history of
 * the step shows the message. A snooze lasts from a millisecond to a year. */
export class Snooze extends Error {
  override name = "Snooze";
  constructor(message: string, readonly after: number) {
    super(message);
  }
}

/** Misfit names a step above whose result this build cannot read. Another worker may have a build that fits. So a handler that throws a
 * Misfit, or an error caused by a Misfit, leaves the step to other workers, and the attempt does not count. */
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

/** Uncertain says that the commit of a result got no answer. The handler runs again, and only one of its transactions takes effect. */
export class Uncertain extends Error {
  override name = "Uncertain";
}

/** ApiError says that the server refused a request and would refuse a repetition, too. The field code has the error code, such as TK404. */
export class ApiError extends Error {
  override name = "ApiError";
  constructor(readonly status: number, readonly code: string, readonly detail: string, readonly hint: string) {
    super(hint ? `${detail} | ${hint} (${code})` : `${detail} (${code})`);
  }
}

/** Unauthorized says that the token is not valid, perhaps because it has expired or was revoked. */
export class Unauthorized extends ApiError {
  override name = "Unauthorized";
}

/** awaitsAPerson says whether the cause of a refusal is the token, its rights or the database, and not the request. The request succeeds
 * when a person has corrected the cause. */
export function awaitsAPerson(error: ApiError): boolean {
  return [401, 403, 507].includes(error.status);
}

/** Unavailable says that the server did not answer, or cannot serve the request now. The same request may succeed later. The field status
 * is 0 if no answer came. */
export class Unavailable extends Error {
  override name = "Unavailable";
  constructor(message: string, readonly status = 0) {
    super(message);
  }
}

/** concernsSome says whether a refusal of a call may have its cause in only some of the call's items. The call should then be split. A
 * failure of the server may also come from one item. */
export function concernsSome(error: unknown): boolean {
  return error instanceof Unavailable ? error.status === 500 : error instanceof ApiError && !(error instanceof Unauthorized);
}

/** Undelivered says that the worker has stopped and could not record some results. The steps of these results run again when their leases
 * have ended. */
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

/** TaskFailed says that a task has ended without a result, or cannot continue without an operator. It has the state of the task, the name
 * of the failed step, and the error of that step. */
export class TaskFailed extends Error {
  override name = "TaskFailed";
  constructor(readonly taskUUID: string, readonly state: string, readonly step: string | undefined, readonly stepError: string | undefined) {
    super(`task ${taskUUID} is ${state}${step === undefined ? "" : `: step "${step}": ${stepError ?? "no error is recorded"}`}`);
  }
}

/** textOf returns the text to record for an error. If the error has a property errorClass, the text begins with this class, by which
 * incidents distinguish causes. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error) || "an empty error";
  if ("errorClass" in error && typeof error.errorClass === "string" && error.errorClass) return `[class=${error.errorClass}] ${error.message}`;
  return error.message ? (error instanceof Permanent || error instanceof KeptError || error.name === "Error" ? error.message : `${error.name}: ${error.message}`) : error.name;
}

/** stored returns a text in a form that the database accepts: without zero bytes and halves of surrogate pairs, and with at most 65,536
 * characters. */
export function stored(text: string): string {
  return text.slice(0, 65_536).replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

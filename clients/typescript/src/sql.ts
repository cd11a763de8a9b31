// The calls of docs/http-workers.md as SQL, for programs with a connection to the database. Arguments and answers are texts, so that no
// driver changes them.

import { ApiError, Unavailable } from "./errors.js";
import { parse, stringify } from "./json.js";

/** Query runs a statement, and returns the text in the first column of its first row, undefined without a row. */
export type Query = (text: string, values: (string | null)[]) => Promise<string | undefined>;

type Body = Record<string, any>;
type Values = (path: string[], body: Body, query: URLSearchParams) => unknown[];
type Route = readonly [method: string, path: RegExp, text: string, values: Values];

const uuid = "([0-9a-fA-F-]{36})";
const step = `^/v1/tasks/${uuid}/workflow_steps/${uuid}`;
const list = (from: string, limited = true): string =>
  `select json_build_object('items', coalesce(json_agg(to_jsonb(x)), '[]'), 'next_cursor', ${
    limited ? "case when count(*) = 100 then max((to_jsonb(x) ->> 'at')::integer)::text end" : "null::text"
  })::text from (${from}) as x`;
const claims = "(select array_agg((c ->> 'step_uuid')::uuid) from json_array_elements($1::text::json) as c), (select array_agg((c ->> 'claim_no')::integer) from json_array_elements($1::text::json) as c)";
const texts = (n: number): string => `(select array_agg(e) from json_array_elements_text($${n}::text::json) as e)`;

const routes: Route[] = [
  ["POST", /^\/v1\/leases$/, list(`select l.* from tasker.extend_leases(${claims}, $2::text::integer) as l`, false), (_, b) => [b["claims"], b["lease_seconds"]]],
  ["POST", /^\/v1\/releases$/, list(`select r.* from tasker.release_steps(${claims}) as r`, false), (_, b) => [b["claims"]]],
  ["POST", /^\/v1\/workers$/,
    `select json_build_object('clock', clock_timestamp(), 'new', tasker.register_worker($1::text::uuid, $2, ${texts(3)}, ${texts(4)}, $5))::text`,
    (_, b) => [b["worker_uuid"], b["name"], b["namespaces"], b["handlers"], b["version"]]],
  ["GET", new RegExp(`^/v1/tasks/${uuid}$`), "select to_jsonb(t)::text from tasker.get_task($1::text::uuid) as t", (p) => p],
  ["GET", new RegExp(`^/v1/tasks/${uuid}/result$`), "select tasker.get_task_result($1::text::uuid, " + texts(2) + ")::text",
    (p, _, q) => [p[0], q.has("step") ? q.getAll("step") : null]],
  ["GET", new RegExp(`^/v1/tasks/${uuid}/workflow_steps$`),
    list("select s.*, s.step_no as at from tasker.list_steps($1::text::uuid, $2::text::integer, 100) as s"), (p, _, q) => [p[0], q.get("cursor") || "0"]],
  ["GET", new RegExp(`${step}/parent-results$`),
    list("select r.*, r.step_no as at from tasker.get_parent_results($1::text::uuid, $2::text::integer, 100) as r"), (p, _, q) => [p[1], q.get("cursor") || "0"]],
  ["GET", new RegExp(`${step}/ancestor-results$`), list("select r.* from tasker.get_ancestor_result($1::text::uuid, $2) as r", false), (p, _, q) => [p[1], q.get("name")]],
  ["GET", new RegExp(`${step}/kept$`),
    list("select r.*, r.position as at from tasker.get_kept_results($1::text::uuid, $2::text::integer, 100) as r"), (p, _, q) => [p[1], q.get("cursor") || "0"]],
  ["POST", new RegExp(`${step}/checkpoint$`),
    "select json_build_object('answer', tasker.checkpoint_step($1::text::uuid, $2::text::integer, $3::text::jsonb, $4::text::integer))::text",
    (p, b) => [p[1], b["claim_no"], json(b["checkpoint"]), b["lease_seconds"]]],
  ["POST", new RegExp(`${step}/values/([^/]+)$`),
    "select to_jsonb(a)::text from tasker.set_value($1::text::uuid, $2::text::integer, $3, $4::text::jsonb) as a", (p, b) => [p[1], b["claim_no"], p[2], json(b["value"])]],
  ["POST", new RegExp(`${step}/streams/([^/]+)$`),
    "select to_jsonb(a)::text from tasker.append_items($1::text::uuid, $2::text::integer, $3, $4::text::jsonb, $5::text::integer) as a",
    (p, b) => [p[1], b["claim_no"], p[2], json(b["items"]), b["batch_no"]]],
  ["POST", new RegExp(`${step}/kept$`),
    "select to_jsonb(k)::text from tasker.keep_step_result($1::text::uuid, $2::text::integer, $3::text::integer, $4, $5::text::integer, $6::text::jsonb, $7) as k",
    (p, b) => [p[1], b["claim_no"], b["position"], b["name"], b["occurrence"], b["error"] == null ? json(b["value"]) : null, b["error"]]],
  ["POST", new RegExp(`${step}/suspend$`),
    "select to_jsonb(k)::text from tasker.suspend_step($1::text::uuid, $2::text::integer, $3::text::integer, $4, $5::text::integer, $6::text::jsonb) as k",
    (p, b) => [p[1], b["claim_no"], b["position"], b["name"], b["occurrence"], b["wait"]]],
  ["POST", new RegExp(`${step}/diverge$`),
    "select to_jsonb(k)::text from tasker.diverge_step($1::text::uuid, $2::text::integer, $3::text::integer, $4) as k",
    (p, b) => [p[1], b["claim_no"], b["position"], b["name"]]],
  ["POST", new RegExp(`${step}/snooze$`),
    "select to_jsonb(k)::text from tasker.snooze_step($1::text::uuid, $2::text::integer, $3::text::double precision, $4) as k",
    (p, b) => [p[1], b["claim_no"], b["seconds"], b["reason"]]],
  ["POST", new RegExp(`${step}/continue$`),
    "select to_jsonb(k)::text from tasker.continue_step($1::text::uuid, $2::text::integer, $3::text::jsonb, $4::text::integer) as k",
    (p, b) => [p[1], b["claim_no"], json(b["state"]), b["round"]]],
  ["GET", /^\/v1\/templates\/([^/]+)\/([^/]+)$/, "select to_jsonb(t)::text from tasker.get_task_template($1, $2, $3) as t",
    (p, _, q) => [p[0], p[1], q.get("version")]],
  ["POST", /^\/v1\/templates$/, "select to_jsonb(r)::text from tasker.register_task_template($1::text::jsonb) as r", (_, b) => [json(b)]],
  ["PUT", /^\/v1\/schedules\/([^/]+)\/([^/]+)$/,
    "select to_jsonb(s)::text from tasker.set_schedule($1, $2, $3, p_cron => $4, p_every_seconds => $5::text::integer, p_timezone => coalesce($6, 'UTC'), " +
    "p_task_version => $7, p_context => $8::text::jsonb, p_overlap => coalesce($9, 'allow'), p_catch_up => coalesce($10, 'one')) as s",
    (p, b) => [p[0], p[1], b["task_name"], b["cron"], b["every_seconds"], b["timezone"], b["task_version"], json(b["context"] ?? {}), b["overlap"], b["catch_up"]]],
  ["POST", /^\/v1\/tasks$/,
    "select to_jsonb(t)::text from tasker.create_task($1, $2, $3::text::jsonb, p_version => $4, p_identity_key => $5, p_task_uuid => $6::text::uuid, " +
    `p_priority => $7::text::integer, p_tags => ${texts(8)}, p_headers => $9::text::jsonb, p_start_at => $10::text::timestamptz, p_deadline => $11::text::timestamptz, ` +
    "p_identity_ttl => make_interval(secs => $12::text::double precision), p_identity_scope => $13, p_debounce_seconds => $14::text::integer, " +
    "p_debounce_longest_seconds => $15::text::integer, p_throttle_limit => $16::text::integer, p_throttle_seconds => $17::text::integer, p_throttle_key => $18) as t",
    (_, b) => [b["namespace"], b["name"], json(b["context"] ?? {}), b["version"], b["identity_key"], b["task_uuid"], b["priority"], b["tags"],
      b["headers"] == null ? null : json(b["headers"]), b["start_at"], b["deadline"],
      b["identity_ttl_seconds"], b["identity_scope"], b["debounce_seconds"], b["debounce_longest_seconds"], b["throttle_limit"], b["throttle_seconds"], b["throttle_key"]]],
  ["POST", /^\/v1\/signals$/,
    "select to_jsonb(s)::text from tasker.send_signal_by_key($1, $2, $3, $4, $5::text::jsonb, $6, p_start => coalesce($7::text::boolean, false), " +
    "p_context => coalesce($8::text::jsonb, '{}'), p_version => $9) as s",
    (_, b) => [b["namespace"], b["task_name"], b["identity_key"], b["name"], json(b["payload"] ?? {}), b["idempotency_key"], b["start"],
      b["context"] == null ? null : json(b["context"]), b["version"]]],
  ["POST", /^\/v1\/events$/,
    "select to_jsonb(e)::text from tasker.emit_event($1, $2, coalesce($3, ''), $4::text::jsonb, $5) as e",
    (_, b) => [b["namespace"], b["name"], b["key"], json(b["payload"] ?? {}), b["idempotency_key"]]],
  ["POST", new RegExp(`^/v1/tasks/${uuid}/signals$`),
    "select to_jsonb(s)::text from tasker.send_signal($1::text::uuid, $2, $3::text::jsonb, $4) as s",
    (p, b) => [p[0], b["name"], json(b["payload"] ?? {}), b["idempotency_key"]]],
  ["POST", new RegExp(`^/v1/tasks/${uuid}/cancel$`),
    "select json_build_object('changed', tasker.cancel_task($1::text::uuid, $2))::text", (p, b) => [p[0], b["reason"]]],
  ["POST", new RegExp(`^/v1/tasks/${uuid}/pause$`),
    "select json_build_object('changed', tasker.pause_task($1::text::uuid, $2))::text", (p, b) => [p[0], b["reason"]]],
  ["POST", new RegExp(`^/v1/tasks/${uuid}/resume$`),
    "select json_build_object('changed', tasker.resume_task($1::text::uuid, $2))::text", (p, b) => [p[0], b["reason"]]],
  ["POST", new RegExp(`^/v1/tasks/${uuid}/change$`),
    `select json_build_object('changed', tasker.change_task($1::text::uuid, p_priority => $2::text::integer, p_start_at => $3::text::timestamptz,
      p_deadline => $4::text::timestamptz, p_context => $5::text::jsonb, p_reason => $6))::text`,
    (p, b) => [p[0], b["priority"]?.toString(), b["start_at"], b["deadline"], b["context"] == null ? null : json(b["context"]),
      b["reason"]]],
  ["POST", new RegExp(`^/v1/tasks/${uuid}/erase$`),
    "select json_build_object('items', coalesce(json_agg(e), '[]'))::text from tasker.erase_task($1::text::uuid, $2, coalesce($3::text::boolean, false), $4) as e",
    (p, b) => [p[0], b["reason"], b["children"], b["actor"]]],
  ["POST", /^\/v1\/tasks\/erase$/,
    "select json_build_object('items', coalesce(json_agg(e order by e.ordinality), '[]'), " +
    "'next_cursor', case when count(*) >= $12::text::integer then (array_agg(e.root_uuid order by e.ordinality desc))[1] end)::text " +
    `from tasker.erase_tasks($1, p_tags => ${texts(2)}, p_key => $3, p_namespace => $4, p_name => $5, p_version => $6, p_requested_after => $7::text::timestamptz, ` +
    "p_requested_before => $8::text::timestamptz, p_children => coalesce($9::text::boolean, false), p_actor => $10, p_dry_run => coalesce($11::text::boolean, false), " +
    "p_limit => $12::text::integer, p_after => $13::text::uuid) with ordinality as e",
    (_, b) => [b["reason"], b["tags"], b["key"], b["namespace"], b["name"], b["version"], b["requested_after"], b["requested_before"], b["children"], b["actor"],
      b["dry_run"], b["limit"] ?? 100, b["cursor"]]],
];

function json(value: unknown): string {
  return stringify(value);
}

function argument(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : typeof value === "object" ? stringify(value) : String(value);
}

/** answer makes a call of the protocol as a statement. */
export async function answer(query: Query, method: string, path: string, body: string | undefined): Promise<unknown> {
  const [at, search] = path.split("?", 2) as [string, string?];
  for (const [of, pattern, text, values] of routes) {
    const found = of === method ? pattern.exec(at) : null;
    if (!found) continue;
    const given = body === undefined ? {} : (parse(body) as Body);
    const row = await query(text, values(found.slice(1).map(decodeURIComponent), given, new URLSearchParams(search)).map(argument));
    if (row === undefined) throw new ApiError(404, "TK404", `there is nothing at ${at}`, "");
    return parse(row);
  }
  throw new TypeError(`${method} ${at} is not a call over PostgreSQL: query the function of docs/functions.md`);
}

interface SqlError {
  code?: string;
  severity?: string;
  detail?: string;
  hint?: string;
}

/** judged turns an error of a driver into the error that the table of docs/http-workers.md has for it. */
export function judged(error: unknown): Error {
  const { code = "", severity, detail, hint = "" } = (error ?? {}) as SqlError;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ApiError || error instanceof Unavailable || error instanceof TypeError) return error;
  if (severity === undefined || !/^[0-9A-Z]{5}$/.test(code)) return new Unavailable(message);
  if (/^(08|40|53|57|58)|^(0A000|25006|55006|55P03)$/.test(code)) return new Unavailable(`${message} (${code})`, 503);
  const text = detail ? `${message}: ${detail}` : message;
  if (code === "TK409" && /isolation/.test(message)) return new ApiError(403, code, text, hint);
  if (code.startsWith("TK")) return new ApiError(Number(code.slice(2)), code, text, hint);
  return new ApiError(/^(21|22|23|54|P0)/.test(code) ? 422 : 403, code, text, hint);
}

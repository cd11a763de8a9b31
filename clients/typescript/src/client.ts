import { readFileSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";

import { ApiError, Blocked, Unauthorized, Unavailable } from "./errors.js";
import { parse, stringify } from "./json.js";
import { type Apart, encoded, type Exchange, type Exchanged, type Transport } from "./transport.js";

// How many milliseconds a request without a wait may take.
const within = 30_000;
// How many milliseconds an abandoned request waits for an answer that is under way.
const lastAnswer = 2_000;

/** passes says whether an answer neither accepts nor rejects the request, so that the same request may succeed later. docs/http-workers.md
 * has the table. TK429, the answer of a task throttle, rejects the request. */
function passes(status: number, code?: string): boolean {
  return status === 408 || (status === 429 && code !== "TK429") || (status >= 500 && status !== 507);
}

/** TaskOptions are the optional properties of a task. */
export interface TaskOptions {
  identityKey?: string;
  version?: string;
  priority?: number;
  tags?: string[];
}

/** Task is a task in the form of GET /v1/tasks/{task_uuid}. An object also has the fields of this form that the interface does not name. */
export interface Task {
  task_uuid: string;
  state: string;
  complete: boolean;
  blocked: boolean;
  context: unknown;
  [field: string]: unknown;
}

/** Token is a text, a function that returns the text, or a file that contains it. The client calls the function or reads the file before
 * each request, so that the token can be replaced while the program runs. */
export type Token = string | (() => string | Promise<string>) | { readonly file: string };

/** Client sends requests to a server with a token. */
export class Client implements Transport {
  readonly #url: string;
  readonly #token: () => string | Promise<string>;
  readonly #agent: http.Agent | https.Agent;

  constructor(url: string, token: Token) {
    this.#url = new URL(url).href.replace(/\/+$/, "");
    this.#agent = this.#url.startsWith("https:") ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
    this.#token = typeof token === "string" ? () => token : typeof token === "function" ? token : () => readFileSync(token.file, "utf8").trim();
  }

  async apart(): Promise<Apart> {
    return { url: this.#url, token: await this.#token() };
  }

  /** request makes any request under /v1. It serves the operations for which Client has no method. It throws ApiError or Unavailable. */
  async request<R = unknown>(method: string, path: string, body?: unknown, milliseconds = within): Promise<R> {
    return this.send(method, path, body === undefined ? undefined : stringify(body), milliseconds);
  }

  exchange(request: Exchange, waitSeconds: number, milliseconds: number, ended?: AbortSignal): Promise<Exchanged> {
    return this.send("POST", "/v1/exchange", encoded(request, { wait_seconds: waitSeconds }), milliseconds, ended);
  }

  /** send is like request, but takes an encoded body and a signal that can end the request. */
  async send<R = unknown>(method: string, path: string, body: string | undefined, milliseconds: number, ended?: AbortSignal): Promise<R> {
    let token: string;
    try {
      token = await this.#token();
    } catch (error) {
      throw new Unavailable(`there is no token: ${error instanceof Error ? error.message : error}`);
    }
    const [status, text] = await this.#exchange(token, method, path, body, milliseconds, ended);
    let answer: unknown;
    try {
      answer = parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error; // The answer cannot be decoded, and a repeated request would not change that.
      throw new Unavailable(`status ${status}, and no JSON`, status);
    }
    if (status === 200) return answer as R;
    const problem = (answer ?? {}) as { code?: string; detail?: string; hint?: string };
    if (passes(status, problem.code)) throw new Unavailable(`status ${status}: ${problem.detail}`, status);
    throw new (status === 401 ? Unauthorized : ApiError)(status, String(problem.code), String(problem.detail), problem.hint ?? "");
  }

  /**
   * #exchange sends a request and returns the status and text of the answer. When a request is abandoned, #exchange closes its half of the
   * connection, so that the server takes back the steps that the request would have claimed. It still reads an answer that the server has
   * already written. (fetch does neither: in Node 18 an abort can get lost.)
   */
  #exchange(token: string, method: string, path: string, body: string | undefined, milliseconds: number, ended?: AbortSignal): Promise<[number, string]> {
    return new Promise((resolve, reject) => {
      const { request } = this.#agent instanceof https.Agent ? https : http;
      const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
      const headers = { Authorization: "Bearer " + token, "Content-Type": "application/json", ...length };
      const sent = request(this.#url + path, { method, agent: this.#agent, headers });
      const destroy = (): void => void sent.destroy(new Error("the request was given up"));
      let timer = setTimeout(destroy, milliseconds);
      const abort = (): void => {
        if (!sent.socket || sent.socket.connecting) return destroy();
        clearTimeout(timer);
        timer = setTimeout(destroy, lastAnswer);
        sent.socket.end();
      };
      const over = (): void => {
        clearTimeout(timer);
        ended?.removeEventListener("abort", abort);
      };
      const fail = (error: Error): void => {
        over();
        // The idle connections may be dead, too.
        for (const socket of Object.values(this.#agent.freeSockets).flat()) socket?.destroy();
        reject(new Unavailable(error.message));
      };
      sent.on("error", fail).on("response", (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part)).on("error", fail).on("end", () => {
          over();
          resolve([response.statusCode ?? 0, Buffer.concat(parts).toString("utf8")]);
        });
      });
      ended?.addEventListener("abort", abort);
      if (ended?.aborted) abort();
      else sent.end(body);
    });
  }

  /** registerTemplate registers a template. If the template is already registered, the call changes nothing. */
  async registerTemplate(template: object): Promise<void> {
    await this.request("POST", "/v1/templates", template);
  }

  /** createTask creates a task, or returns the existing task with this identity. */
  async createTask(namespace: string, name: string, context: object = {}, options: TaskOptions = {}): Promise<{ task_uuid: string; created: boolean }> {
    const { identityKey: identity_key, version, priority, tags } = options;
    return this.request("POST", "/v1/tasks", { namespace, name, context, identity_key, version, priority, tags });
  }

  async getTask(taskUUID: string): Promise<Task> {
    return this.request("GET", `/v1/tasks/${encodeURIComponent(taskUUID)}`);
  }

  /** waitForTask waits until the task has ended or the seconds are over, and returns the task. The field complete says whether the task has
   * ended. waitForTask throws Blocked at once if a step has failed for good and the task waits for an operator. */
  async waitForTask(taskUUID: string, seconds = 30): Promise<Task> {
    const path = `/v1/tasks/${encodeURIComponent(taskUUID)}/wait?timeout_seconds=${seconds}&or_blocked=true`;
    const task = await this.request<Task>("GET", path, undefined, seconds * 1000 + within);
    if (task.blocked) throw new Blocked(task);
    return task;
  }

  /** sendSignal sends a signal to a task. It returns "delivered", "kept" or "repeated", or "ended" if the task has ended and takes no
   * signal. */
  async sendSignal(taskUUID: string, name: string, payload: unknown = {}, idempotencyKey?: string): Promise<string> {
    const body = { name, payload, idempotency_key: idempotencyKey };
    return (await this.request<{ answer: string }>("POST", `/v1/tasks/${encodeURIComponent(taskUUID)}/signals`, body)).answer;
  }
}

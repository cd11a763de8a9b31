import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

import type { Claimed } from "./claimed.js";
import { parse, stringify } from "./json.js";
import type { Apart, Exchange, Exchanged, Transaction, Transport } from "./transport.js";

// This module encrypts payloads, so that the server cannot read them. It has the envelope of docs/howto/encrypted.md, and a transport that
// encrypts and decrypts payloads.

/** hashKey is the ID of the key that only hashes and never encrypts. This key stays the same when the other keys rotate. */
export const hashKey = "hash";

/** KeyUnknown says that a payload cannot be decrypted: its key is unknown, or the payload was changed or moved. */
export class KeyUnknown extends Error {}

/** Codec encrypts and decrypts payloads. Its method hash is optional. It returns a keyed hash that stays the same when the other keys
 * change, by which the database recognises equal contexts and errors. */
export interface Codec {
  /** encode encrypts a payload for a place. decode must fail if it gets another value of bound. */
  encode(plain: Buffer, bound: Buffer): { alg: string; kid: string; data: Buffer };
  /** decode decrypts a payload, or throws KeyUnknown. */
  decode(sealed: { alg: string; kid: string; data: Buffer }, bound: Buffer): Buffer;
  hash?(data: Buffer): Buffer;
}

const algorithm = "AES-GCM";

/** Keys is a codec that encrypts with AES-GCM. The current key encrypts, and all keys decrypt. The key "hash" only hashes. */
export class Keys implements Codec {
  readonly #current: string;
  readonly #keys: Map<string, Buffer>;
  readonly #hash: Buffer;

  constructor(current: string, keys: Record<string, Uint8Array>) {
    const all = new Map(Object.entries(keys).map(([kid, key]): [string, Buffer] => [kid, Buffer.from(key)]));
    for (const [kid, key] of all) if (![16, 24, 32].includes(key.length)) throw new Error(`key "${kid}" has not 16, 24 or 32 bytes`);
    const hashing = all.get(hashKey) ?? all.get([...all.keys()].sort()[0] ?? "");
    all.delete(hashKey);
    if (!all.has(current) || !hashing) throw new Error(`the current key "${current}" is not among the keys`);
    this.#current = current;
    this.#keys = all;
    this.#hash = createHmac("sha256", hashing).update("pgtasker hash").digest();
  }

  /** read reads the keys from a file: {"current": id, "keys": {id: base64}}. */
  static read(file: string): Keys {
    try {
      const { current, keys } = JSON.parse(readFileSync(file, "utf8")) as { current: string; keys: Record<string, string> };
      return new Keys(current, Object.fromEntries(Object.entries(keys).map(([kid, key]) => [kid, Buffer.from(key, "base64")])));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
      throw new Error('the file of keys is not {"current": id, "keys": {id: base64}}');
    }
  }

  encode(plain: Buffer, bound: Buffer): { alg: string; kid: string; data: Buffer } {
    const key = this.#keys.get(this.#current)!;
    const nonce = randomBytes(12);
    const cipher = createCipheriv(cipherOf(key), key, nonce).setAAD(bound);
    const text = Buffer.concat([cipher.update(plain), cipher.final()]);
    return { alg: algorithm, kid: this.#current, data: Buffer.concat([nonce, text, cipher.getAuthTag()]) };
  }

  decode({ alg, kid, data }: { alg: string; kid: string; data: Buffer }, bound: Buffer): Buffer {
    const key = this.#keys.get(kid);
    if (alg !== algorithm) throw new KeyUnknown(`the algorithm "${alg}" is unknown`);
    if (!key) throw new KeyUnknown(`key "${kid}" is unknown`);
    if (data.length < 28) throw new KeyUnknown(`it is too short (key "${kid}")`);
    try {
      const decipher = createDecipheriv(cipherOf(key), key, data.subarray(0, 12)).setAAD(bound).setAuthTag(data.subarray(-16));
      return Buffer.concat([decipher.update(data.subarray(12, -16)), decipher.final()]);
    } catch {
      throw new KeyUnknown(`it was changed or moved, or encrypted with another key than "${kid}"`);
    }
  }

  hash(data: Buffer): Buffer {
    return createHmac("sha256", this.#hash).update(data).digest();
  }
}

function cipherOf(key: Buffer): "aes-128-gcm" | "aes-192-gcm" | "aes-256-gcm" {
  return `aes-${(key.length * 8) as 128 | 192 | 256}-gcm`;
}

const own = "pgtasker: ";
const longestError = 40_000;
const varying = /"[^"]*"|'[^']*'|`[^`]*`|\S*[0-9]\S*/g;
const knownFor = 5_000;

interface Envelope {
  alg: string;
  kid: string;
  for: string;
  hash?: string;
  ct: string;
}

const bound = (place: string, hash: string): Buffer => Buffer.from(`pgtasker\n${place}\n${hash}`);

function envelopeOf(value: unknown): Envelope | undefined {
  const e = typeof value === "object" && value !== null ? (value as { pgtasker?: Partial<Envelope> }).pgtasker : undefined;
  return e && e.alg && e.kid && e.for && typeof e.ct === "string" ? (e as Envelope) : undefined;
}

/** isSealed says whether a value is an encrypted payload. */
export function isSealed(value: unknown): boolean {
  return envelopeOf(value) !== undefined;
}

/** seal encrypts a value for its place. It returns null, and a payload that is already encrypted, unchanged. */
export function seal(codec: Codec, place: string, value: unknown, hash = ""): unknown {
  if (value === null || value === undefined || isSealed(value)) return value;
  const { alg, kid, data } = codec.encode(Buffer.from(stringify(value)), bound(place, hash));
  return { pgtasker: { alg, kid, for: place, ...(hash ? { hash } : {}), ct: data.toString("base64") } };
}

/** canonical returns a JSON text with sorted keys and without spaces. */
function canonical(value: unknown): string {
  const sorted = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(sorted);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, sorted(part)]));
  };
  return stringify(sorted(value));
}

/** sealContext encrypts a context. The fields that should stay readable are stored unencrypted beside the ciphertext. */
export function sealContext(codec: Codec, namespace: string, name: string, context: Record<string, unknown>, clear: string[]): unknown {
  if (isSealed(context)) return context;
  const place = `context ${namespace}/${name}`;
  const hash = codec.hash?.(Buffer.from(`${place}\n${canonical(context)}`)).toString("base64url") ?? "";
  const shown = Object.fromEntries(clear.filter((field) => Object.hasOwn(context, field)).map((field) => [field, context[field]]));
  return { ...shown, ...(seal(codec, place, context, hash) as object) };
}

/** sealError encrypts the text of an error. The class of the error and a keyed hash of its first line stay readable. */
export function sealError(codec: Codec, place: string, kind: string, text: string): string {
  if (text.startsWith(own) || (text.startsWith("encrypted ") && text.includes("\nDETAIL: {"))) return text;
  const bytes = Buffer.from(text);
  if (bytes.length > longestError) text = bytes.subarray(0, longestError).toString().replace(/\uFFFD+$/, "") + "\n… (shortened)";
  const { alg, kid, data } = codec.encode(Buffer.from(text), bound(place, ""));
  kind = kind.replace(/[^!-~]/g, "_").slice(0, 100) || "error";
  const marked = codec.hash?.(Buffer.from(`error\n${kind}\n${text.split("\n", 1)[0]!.replace(varying, "#")}`)).subarray(0, 8) ?? Buffer.alloc(0);
  const letters = [...marked].map((b) => String.fromCharCode(97 + (b >> 4), 97 + (b & 15))).join("");
  return `encrypted ${kind}${letters && " " + letters}\nDETAIL: ${JSON.stringify({ pgtasker: { alg, kid, for: place, ct: data.toString("base64") } })}`;
}

type Check = ((place: string) => boolean) | undefined;

function decoded(codec: Codec, e: Envelope, check: Check): string {
  if (check && !check(e.for)) throw new KeyUnknown(`${own}the payload cannot be decrypted: it belongs to another place ("${e.for}"; key "${e.kid}")`);
  try {
    return codec.decode({ alg: e.alg, kid: e.kid, data: Buffer.from(e.ct, "base64") }, bound(e.for, e.hash ?? "")).toString();
  } catch (error) {
    if (!(error instanceof KeyUnknown)) throw error;
    throw new KeyUnknown(`${own}the payload cannot be decrypted: ${error.message}`);
  }
}

/** openSealed decrypts every envelope in a value and returns the value. The function check can refuse the place of an envelope. openSealed
 * throws KeyUnknown. */
export function openSealed(codec: Codec, value: unknown, check?: (place: string) => boolean, depth = 0): unknown {
  if (depth > 32) return value;
  if (typeof value === "string") return openError(codec, value, check);
  if (typeof value !== "object" || value === null) return value;
  const e = envelopeOf(value);
  if (e) {
    const text = decoded(codec, e, check);
    try {
      return parse(text);
    } catch {
      throw new KeyUnknown(`${own}the payload cannot be decrypted: it is no JSON (key "${e.kid}")`);
    }
  }
  if (Array.isArray(value)) return value.map((one) => openSealed(codec, one, check, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, openSealed(codec, one, check, depth + 1)]));
}

/** openError returns the text of an error, decrypted if it is encrypted. */
export function openError(codec: Codec, text: string, check?: (place: string) => boolean): string {
  const at = text.indexOf("\nDETAIL: ");
  if (at < 0 || !text.startsWith("encrypted ")) return text;
  let value: unknown;
  try {
    value = JSON.parse(text.slice(at + 9));
  } catch {
    return text;
  }
  const e = envelopeOf(value);
  return e ? decoded(codec, e, check) : text;
}

/** readable decrypts a value for a reader. It leaves a payload encrypted if the payload's key is unknown. */
function readable<R>(codec: Codec, value: R): R {
  try {
    return openSealed(codec, value) as R;
  } catch (error) {
    if (!(error instanceof KeyUnknown)) throw error;
    if (Array.isArray(value)) return value.map((one) => readable(codec, one)) as R;
    if (typeof value !== "object" || value === null || isSealed(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readable(codec, one)])) as R;
  }
}

interface Place {
  task: string;
  name: string;
}

/** Encrypted wraps a Client or a Postgres, and encrypts the payloads of templates that ask for it. Programs and workers use it instead of
 * the wrapped object. */
export class Encrypted implements Transport {
  readonly #inner: Transport;
  readonly #codec: Codec;
  readonly #places = new Map<string, Place | undefined>();
  readonly #templates = new Map<string, { at: number; clear: string[] | undefined }>();
  readonly begin?: () => Promise<Transaction>;
  readonly warm?: (slots: number, namespaces: string[] | null, ended: AbortSignal) => Promise<void>;
  readonly attend?: () => Promise<void>;
  readonly apart?: () => Promise<Apart | undefined>;

  constructor(inner: Transport, codec: Codec) {
    this.#inner = inner;
    this.#codec = codec;
    if (inner.begin) this.begin = () => this.#begin();
    if (inner.warm) this.warm = (...args) => inner.warm!(...args);
    if (inner.attend) this.attend = () => inner.attend!();
    if (inner.apart) this.apart = () => inner.apart!();
  }

  get interruptible(): boolean {
    return this.#inner.interruptible ?? false;
  }

  async close(): Promise<void> {
    await this.#inner.close?.();
  }

  async #begin(): Promise<Transaction> {
    const inner = await this.#inner.begin!();
    return {
      tx: inner.tx,
      commit: (step, result) => inner.commit(step, stringify((this.#outcome({ step_uuid: step.step_uuid, result: parse(result) }) as { result: unknown }).result)),
      rollback: () => inner.rollback(),
    };
  }

  async send<R = unknown>(method: string, path: string, body: string | undefined, milliseconds: number, ended?: AbortSignal): Promise<R> {
    if (body !== undefined && (method === "POST" || method === "PUT")) body = stringify(await this.#sealed(path, parse(body) as Record<string, unknown>));
    return readable(this.#codec, await this.#inner.send<R>(method, path, body, milliseconds, ended));
  }

  async exchange(request: Exchange, waitSeconds: number, milliseconds: number, ended?: AbortSignal, slot?: number): Promise<Exchanged> {
    const results = request.results.map((result) => stringify(this.#outcome(parse(result) as Record<string, unknown>)));
    const answer = await this.#inner.exchange({ ...request, results }, waitSeconds, milliseconds, ended, slot);
    const contexts = answer.contexts ?? {};
    await Promise.all(answer.claimed.map((step) => this.#claimed(step, contexts)));
    return { ...answer, ...(answer.contexts ? { contexts: readable(this.#codec, answer.contexts) } : {}) };
  }

  async #clear(namespace: string, name: string, version: string | undefined): Promise<string[] | undefined> {
    const path = `/v1/templates/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}` + (version ? `?version=${encodeURIComponent(version)}` : "");
    const known = this.#templates.get(path);
    if (known && Date.now() - known.at < knownFor) return known.clear;
    const found = await this.#inner.send<{ template: { encrypted?: { clear?: string[] } } }>("GET", path, undefined, 30_000);
    const clear = found.template.encrypted && (found.template.encrypted.clear ?? []);
    this.#templates.set(path, { at: Date.now(), clear });
    return clear;
  }

  async #sealed(path: string, body: Record<string, any>): Promise<unknown> {
    const schedule = /^\/v1\/schedules\/([^/]+)\/[^/]+$/.exec(path);
    if (schedule) {
      const namespace = decodeURIComponent(schedule[1]!);
      const clear = await this.#clear(namespace, body["task_name"], body["task_version"]);
      if (clear) body["context"] = sealContext(this.#codec, namespace, body["task_name"], body["context"] ?? {}, clear);
      return body;
    }
    if (path === "/v1/tasks") {
      const clear = await this.#clear(body["namespace"], body["name"], body["version"]);
      if (clear) body["context"] = sealContext(this.#codec, body["namespace"], body["name"], body["context"] ?? {}, clear);
      return body;
    }
    if (path === "/v1/signals") {
      const { namespace, task_name: name } = body as { namespace: string; task_name: string };
      const clear = await this.#clear(namespace, name, body["version"]);
      if (clear && body["context"] != null) body["context"] = sealContext(this.#codec, namespace, name, body["context"], clear);
      if (clear && body["payload"] != null && stringify(body["payload"]) !== "{}")
        body["payload"] = seal(this.#codec, `signal ${namespace}/${name} ${body["name"]}`, body["payload"]);
      return body;
    }
    const signal = /^\/v1\/tasks\/([^/]+)\/signals$/.exec(path);
    if (signal && body["payload"] != null && stringify(body["payload"]) !== "{}") {
      const task = await this.#inner.send<{ namespace: string; name: string; version: string }>("GET", `/v1/tasks/${signal[1]}`, undefined, 30_000);
      if (await this.#clear(task.namespace, task.name, task.version))
        body["payload"] = seal(this.#codec, `signal ${decodeURIComponent(signal[1]!)} ${body["name"]}`, body["payload"]);
      return body;
    }
    const at = /^\/v1\/tasks\/[^/]+\/workflow_steps\/([^/?]+)(\/snooze$)?/.exec(path);
    const place = at ? this.#places.get(decodeURIComponent(at[1]!)) : undefined;
    if (place) {
      const call = `kept ${place.task} ${place.name} ${body["name"]}/${body["occurrence"]}`;
      for (const [field, where] of [["checkpoint", `checkpoint ${place.task} ${place.name}`], ["state", `state ${place.task} ${place.name}`], ["value", call]] as const)
        if (field in body) body[field] = seal(this.#codec, where, body[field]);
      if (typeof body["error"] === "string") body["error"] = sealError(this.#codec, call, "kept", body["error"]);
      if (at![2] && body["reason"]) body["reason"] = sealError(this.#codec, `error ${place.task} ${place.name}`, "Snooze", body["reason"]);
    }
    return body;
  }

  #outcome(result: Record<string, any>): unknown {
    const place = this.#places.get(result["step_uuid"]);
    if (!place) return result;
    if (typeof result["error"] === "string") {
      const first = result["error"].split("\n", 1)[0]!;
      const from = first.indexOf(own);
      const text = from >= 0 ? result["error"].slice(from) : result["error"]; // This text contains no payload.
      const kind = /^([A-Za-z_][\w.]*):/.exec(first)?.[1] ?? "error";
      result["error"] = sealError(this.#codec, `error ${place.task} ${place.name}`, kind, text);
    } else if ("result" in result) {
      result["result"] = seal(this.#codec, `result ${place.task} ${place.name}`, result["result"]);
    }
    return result;
  }

  /** #claimed decrypts the payloads of a claimed step. If the decryption fails, the step fails for good when it begins. */
  async #claimed(step: Claimed, contexts: Record<string, unknown>): Promise<void> {
    const codec = this.#codec;
    const { task_uuid: task, name } = step;
    let context = step.context ?? contexts[task];
    if (context == null) context = (await this.#inner.send<{ context: unknown }>("GET", `/v1/tasks/${task}`, undefined, 30_000)).context;
    this.#places.set(step.step_uuid, isSealed(context) ? { task, name } : undefined);
    if (this.#places.size > 100_000) this.#places.delete(this.#places.keys().next().value!);
    try {
      const e = envelopeOf(context);
      const place = `context ${step.namespace}/${step.task_name}`;
      if (e && e.for !== place) {
        const parent = await this.#inner.send<{ parent_step_uuid: string | null }>("GET", `/v1/tasks/${task}`, undefined, 30_000);
        if (parent.parent_step_uuid === null) decoded(codec, e, () => false);
      }
      step.context = openSealed(codec, context);
      step.inputs = openSealed(codec, step.inputs);
      step.checkpoint = openSealed(codec, step.checkpoint, (at) => at === `checkpoint ${task} ${name}`);
      for (const [above, result] of Object.entries(step.parent_results ?? {})) {
        const of = (at: string): boolean => at.startsWith("result ") && at.slice(44).split("[", 1)[0] === above.split("[", 1)[0];
        step.parent_results![above] = openSealed(codec, result, isSealed(result) ? of : undefined);
      }
      for (const kept of step.kept?.results ?? []) {
        const call = `kept ${task} ${name} ${kept.name}/${kept.occurrence}`;
        kept.value = openSealed(codec, kept.value, (at) => at === call || at.startsWith("signal "));
        if (kept.error != null) kept.error = openError(codec, kept.error, (at) => at === call);
      }
      if (step.kept?.state != null) step.kept.state = openSealed(codec, step.kept.state, (at) => at === `state ${task} ${name}`);
    } catch (error) {
      if (!(error instanceof KeyUnknown)) throw error;
      step.undecodable = error.message;
    }
    step.last_error = readable(codec, step.last_error);
  }
}

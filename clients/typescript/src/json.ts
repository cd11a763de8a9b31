// This module reads and writes JSON with integers of any length. An integer that a number cannot hold is a bigint.

import { randomUUID } from "node:crypto";

// The beginning of a text that stands for a bigint during encoding. No other text has this beginning, since it cannot be guessed.
const mark = `pgtasker:${randomUUID()}:`;
const marked = new RegExp(`"${mark}(-?\\d+)"`, "g");
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** parse reads JSON. Integers beyond Number.MAX_SAFE_INTEGER are bigints. */
export function parse(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const whole = text.replace(tokens, (token) =>
    token[0] !== '"' && /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  );
  return JSON.parse(whole, (_, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** stringify writes JSON. It writes bigints as integers, and refuses numbers that JSON cannot represent. */
export function stringify(value: unknown): string {
  let big = false;
  const text = JSON.stringify(value ?? null, (_, item: unknown) => {
    if (typeof item === "number" && !Number.isFinite(item)) throw new TypeError(`${item} is no number of JSON`);
    if (typeof item !== "bigint") return item;
    big = true;
    return mark + item.toString();
  }) as string | undefined;
  if (text === undefined) throw new TypeError(`a ${typeof value} is no value of JSON`);
  return big ? text.replace(marked, "$1") : text;
}

// Paths and conditions are functions that take a recorder, so that TypeScript checks them with the types of the data. In a test the same
// functions take real values: a path returns a real value, and a condition returns true or false.

const path = Symbol("path");

/** At is the position of a recorder: a jsonpath into the context or into a step's result. */
export interface At {
  path: string;
  step?: string;
}

/** recorder returns a stand-in for a value that does not exist yet. The stand-in records which fields a function reads. */
export function recorder(from = "$", step?: string): any {
  return new Proxy(function () {}, {
    get(_, key) {
      if (key === path) return step === undefined ? { path: from } : { path: from, step };
      if (typeof key === "symbol") throw new TypeError("a path only reads fields; compare them with eq, ne, lt, lte, gt and gte of pgtasker");
      return recorder(from + (/^\d+$/.test(key) ? `[${key}]` : /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `.${JSON.stringify(key)}`), step);
    },
    apply() {
      throw new TypeError("a path only reads fields: methods cannot be called in it");
    },
  });
}

/** at returns the position of a recorder, or undefined for any other value. */
export function at(value: any): At | undefined {
  return typeof value === "function" ? value[path] : undefined;
}

export function pathOf(value: unknown): string {
  const found = at(value);
  if (!found) throw new TypeError("the function does not return a field of its argument");
  return found.path;
}

/** holdsPath says whether a value contains a recorder. */
export function holdsPath(value: unknown): boolean {
  return at(value) !== undefined || (typeof value === "object" && value !== null && Object.values(value).some(holdsPath));
}

declare const condition: unique symbol;

/** Condition is the type that eq, gt and the like return: a jsonpath predicate for the database, or a boolean in a test. */
export interface Condition {
  readonly [condition]: true;
  readonly text: string;
  readonly holds: boolean;
}

/** When is a condition on a value: a function such as (r) => gte(r.cents, 1000), or a jsonpath predicate. */
export type When<R> = ((r: R) => Condition) | `$${string}`;

export function textOfWhen(when: When<any>, inner?: string): string {
  if (typeof when === "string") return when;
  return when(inner === undefined ? recorder() : recorder()[inner]).text;
}

function made(text: () => string, holds: () => boolean): Condition {
  return { get text() { return text(); }, get holds() { return holds(); } } as Condition;
}

type Ordered = number | string | bigint;
type Wide<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;
type Comparable = Ordered | boolean | null | undefined;

function compare(operator: string, a: any, b: any, holds: (a: any, b: any) => boolean): Condition {
  // A comparison with a missing field never holds, as in SQL.
  return made(() => `${operand(a)} ${operator} ${operand(b)}`, () => a !== undefined && b !== undefined && holds(a, b));
}

function operand(value: unknown): string {
  const found = at(value);
  if (found) return found.path;
  return typeof value === "bigint" ? value.toString() : JSON.stringify(value ?? null);
}

export const eq = <T extends Comparable>(a: T, b: NoInfer<T>): Condition => compare("==", a, b, (a, b) => a === b);
export const ne = <T extends Comparable>(a: T, b: NoInfer<T>): Condition => compare("!=", a, b, (a, b) => a !== b);
export const lt = <T extends Ordered>(a: T, b: Wide<NoInfer<T>>): Condition => compare("<", a, b, (a, b) => a < b);
export const lte = <T extends Ordered>(a: T, b: Wide<NoInfer<T>>): Condition => compare("<=", a, b, (a, b) => a <= b);
export const gt = <T extends Ordered>(a: T, b: Wide<NoInfer<T>>): Condition => compare(">", a, b, (a, b) => a > b);
export const gte = <T extends Ordered>(a: T, b: Wide<NoInfer<T>>): Condition => compare(">=", a, b, (a, b) => a >= b);
export const and = (...of: Condition[]): Condition => made(() => of.map((c) => `(${c.text})`).join(" && "), () => of.every((c) => c.holds));
export const or = (...of: Condition[]): Condition => made(() => of.map((c) => `(${c.text})`).join(" || "), () => of.some((c) => c.holds));
export const not = (c: Condition): Condition => made(() => `!(${c.text})`, () => !c.holds);

// Checks of values that enter the program: by any Standard Schema (zod, valibot, arktype), or by type<T>(), which checks nothing.

/** Schema is a Standard Schema, which libraries for validation implement. */
export interface Schema<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Checked<T> | Promise<Checked<T>>;
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}

type Issue = { readonly message: string; readonly path?: readonly unknown[] | undefined };
type Checked<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/** type returns a schema that accepts any value as a T. */
export function type<T>(): Schema<T> {
  return { "~standard": { version: 1, vendor: "pgtasker", validate: (value) => ({ value: value as T }) } };
}

/** check returns the value in the form of the schema, or throws a TypeError that names the fields that do not fit. */
export async function check<T>(schema: Schema<T>, value: unknown): Promise<T> {
  const checked = await schema["~standard"].validate(value);
  if (!checked.issues) return checked.value;
  throw new TypeError(checked.issues.map(({ path, message }) => (path?.length ? `${path.map(key).join(".")}: ${message}` : message)).join("; "));
}

function key(segment: unknown): string {
  return String(typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment);
}

const kept = new Set(["type", "properties", "required", "enum", "minimum", "maximum", "maxLength", "items", "title", "description", "default", "format", "examples"]);

/** jsonSchema returns the part of a schema that the database can check, if its library can export JSON Schema (zod 4 can). Senders check
 * the rest. */
export function jsonSchema(schema: Schema<unknown>): object | undefined {
  const standard = schema["~standard"] as { jsonSchema?: { input?: (options: { target: string }) => unknown } };
  const made = standard.jsonSchema?.input?.({ target: "draft-2020-12" });
  return made === undefined ? undefined : cut(made as Record<string, unknown>);
}

function cut(schema: Record<string, unknown>): object {
  if (schema["anyOf"] || schema["oneOf"] || schema["allOf"]) return {};
  const cutAll = (of: object): object => Object.fromEntries(Object.entries(of).map(([name, property]) => [name, cut(property as Record<string, unknown>)]));
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => kept.has(name)).map(([name, value]) =>
      [name, name === "properties" ? cutAll(value as object) : name === "items" && typeof value === "object" ? cut(value as Record<string, unknown>) : value]),
  );
}

// The examples are short, in the form that prettier gives them at 140 columns. tools/typescript.sh installs it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const prettier = at("vitest/node_modules/prettier/bin/prettier.cjs");
const skip = existsSync(prettier) ? false : "there is no prettier";

/** lines returns the lines of a program, without empty lines, comments and imports. */
function lines(path: string): string[] {
  return readFileSync(at(path), "utf8").split("\n").filter((line) => line.trim() !== "" && !/^(\/\/|import )/.test(line));
}

test("the examples are as prettier writes them", { skip }, () => {
  for (const path of ["examples/invoice.ts", "examples/first.ts"]) {
    const text = readFileSync(at(path), "utf8");
    assert.equal(execFileSync(process.execPath, [prettier, "--print-width", "140", "--stdin-filepath", path], { input: text, encoding: "utf8" }), text);
  }
});

test("the invoice workflow has 47 lines without imports and models at most, and a first workflow has 20", () => {
  const invoice = lines("examples/invoice.ts").filter((line) => !/^(export )?(const (Line|Invoice) =|type Invoice )/.test(line));
  assert.ok(invoice.length > 25 && invoice.length <= 47, `${invoice.length} lines`);
  const first = readFileSync(at("examples/first.ts"), "utf8").split("\n").filter((line) => line.trim() !== "");
  assert.ok(first.length <= 20, `${first.length} lines`);
});

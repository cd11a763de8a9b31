// Each program of wrong.ts is refused for the reason that stands there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

import ts from "typescript";

const client = fileURLToPath(new URL("../../", import.meta.url));

test("wrong programs are refused for the right reasons", () => {
  const name = `${client}test/wrong.ts`;
  const text = readFileSync(name, "utf8").replaceAll("// @ts-expect-error", "// wrong:");
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(`${client}tsconfig.json`, ts.sys.readFile).config, ts.sys, client);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (file, ...others) => (file === name ? ts.createSourceFile(file, text, others[0], true) : getSourceFile.call(host, file, ...others));
  const program = ts.createProgram([name], { ...options, noEmit: true, skipLibCheck: true }, host);
  const source = program.getSourceFile(name)!;
  const found = new Map<number, string>();
  for (const { start, code } of program.getSemanticDiagnostics(source)) {
    const { line } = source.getLineAndCharacterOfPosition(start!);
    if (!found.has(line)) found.set(line, `TS${code}`);
  }
  const refused: [string | undefined, string][] = [];
  const expectations: typeof refused = [];
  text.split("\n").forEach((line, at) => {
    const expected = /^\/\/ wrong: (TS\d+) (.*)/.exec(line);
    if (!expected) return;
    refused.push([found.get(at + 1), expected[2]!]);
    expectations.push([expected[1]!, expected[2]!]);
    found.delete(at + 1);
  });
  assert.deepEqual(refused, expectations);
  assert.equal(refused.length, 67);
  assert.deepEqual([...found], [], "no other line is refused");
});

// docs/howto/idempotency.md
import { type Caller, type, workflow } from "../../src/index.js";

export const files = { importLine: async (_line: number): Promise<void> => {} };

const webhooks = workflow({
  namespace: "guide", name: "webhooks_ts", version: "1.0.0", input: type<{ event: number }>(),
  identity: "key", // or "input", the default, or "new"
});
const deliver = webhooks.step("deliver", (job) => job.input.event);
export const webhook = webhooks.returns(deliver);

export async function receive(on: Caller, event: number) {
  const first = await webhook.start(on, { event }, { key: `event-${event}` });
  const second = await webhook.start(on, { event }, { key: `event-${event}` });
  return first.uuid === second.uuid; // true
}

const imports = workflow({ namespace: "guide", name: "imports_ts", version: "1.0.0", input: type<{ lines: number }>(), identity: "new" });

export const importFile = imports.step("import", async (job) => {
  let line = (job.lastCheckpoint as number | null) ?? 0; // what an earlier attempt has kept
  for (; line < job.input.lines; line++) {
    try {
      await files.importLine(line);
    } catch (error) {
      await job.checkpoint(line); // also renews the lease
      throw error;
    }
  }
  return line;
});

export const imported = imports.returns(importFile);

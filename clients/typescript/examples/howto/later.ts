// docs/howto/later.md
import { type Caller, type, workflow } from "../../src/index.js";

const reminders = workflow({ namespace: "guide", name: "reminders_ts", version: "1.0.0", input: type<{ text: string }>(), identity: "new" });
const remind = reminders.step("remind", (job) => job.input.text);
export const reminder = reminders.returns(remind);

export async function later(on: Caller, text: string) {
  return reminder.start(on, { text }, { startAt: new Date(Date.now() + 2 * 3_600_000) });
}

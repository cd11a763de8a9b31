// docs/howto/results.md
import { type, workflow } from "../../src/index.js";

const sums = workflow({ namespace: "guide", name: "sums_ts", version: "1.0.0", input: type<{ documents: string[] }>(), identity: "new" });

const count = sums.map("count", { over: sums.each((pages) => pages.documents) }, (_, document) => document.split(" ").length);

const addUp = sums.step("add_up", { after: count }, (_, counts) => {
  return counts.reduce((sum, one) => sum + one, 0); // fetched in pages if a claim has no place for them
});

export const words = sums.returns(addUp);

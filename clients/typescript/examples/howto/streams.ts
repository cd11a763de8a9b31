// docs/howto/streams.md
import type { Job } from "../../src/index.js";

export async function load(job: Job<unknown>) {
  await job.append("rejected", [{ row: 7 }, { row: 9 }]);
  await job.setValue("rows", 400);
  await job.progress(0.4, "row 400 of 1,000");
  job.log.warn("row 7 has no price", { row: 7 });
  return 400;
}

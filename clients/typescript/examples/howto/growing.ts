// docs/howto/growing.md
import type { Worker } from "../../src/index.js";

type Files = { files: string[] };

export function handle(worker: Worker): void {
  worker.handler<Files>("list", async (job) => {
    const counts = job.input.files.map((file, i) => ({
      name: `count_${i + 1}`, handler: "count", dependencies: [job.name], initialization: { file },
    }));
    const sum = { name: "sum", dependencies: counts.map(({ name }) => name) };
    const tx = await job.tx();
    await tx.query("select tasker.add_steps($1, $2::jsonb)", [job.taskUUID, JSON.stringify([...counts, sum])]);
    return counts.length;
  });
  worker.handler<Files>("count", (job) => (job.inputs as { file: string }).file.length); // the initialization of the step
  worker.handler<Files>("sum", async (job) => {
    const results = Object.values(await job.results()) as number[]; // of all steps that it depends on
    return results.reduce((total, n) => total + n, 0);
  });
}

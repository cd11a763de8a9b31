// docs/howto/erase.md
import { type Client, eraseTask, eraseTasks, type Postgres } from "../../src/index.js";

export async function eraseOne(client: Client | Postgres, run: string) {
  const [erased] = await eraseTask(client, run, { reason: "request 17 of the customer", actor: "ann" });
  return erased!.outcome;
}

export async function eraseAll(client: Client | Postgres, customer: string) {
  let done = 0;
  for await (const batch of eraseTasks(client, { tags: [`customer:${customer}`] }, { reason: "request 17 of the customer", withChildren: true })) {
    done += batch.filter((run) => run.outcome === "erased").length;
    console.log(`${done} erased, and left out: ${batch.filter((run) => run.outcome !== "erased").map((run) => run.task_uuid)}`);
  }
  return done;
}

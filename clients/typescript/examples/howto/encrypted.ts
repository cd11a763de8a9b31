// docs/howto/encrypted.md
import { type Codec, Encrypted, type Job, type Transport, Worker } from "../../src/index.js";

export async function claims(client: Transport, keys: Codec) {
  const encrypted = new Encrypted(client, keys);
  const request = { namespace: "guide", name: "claim", context: { customer: 7, card: "4111 1111" } };
  const task = await encrypted.send<{ task_uuid: string }>("POST", "/v1/tasks", JSON.stringify(request), 30_000);
  const worker = new Worker(encrypted, { namespaces: ["guide"] });
  worker.handler("pay", async (job: Job<{ card: string }>) => "paid with " + job.input.card);
  return { task: task.task_uuid, worker };
}

// docs/howto/deadlines.md
import { type Caller, type, workflow } from "../../src/index.js";

export const encoder = { transcode: async (_part: number, _signal: AbortSignal): Promise<void> => {} };

export const videos = workflow({ namespace: "guide", name: "videos_ts", version: "1.0.0", input: type<{ name: string; parts: number }>(), identity: "new" });

export const transcode = videos.step("transcode", { timeout: "1h", startWithin: "30m" }, async (job) => {
  for (let part = 0; part < job.input.parts; part++) {
    job.signal.throwIfAborted(); // throws Cancelled, Lost or TimedOut: let it pass
    await encoder.transcode(part, job.signal);
  }
  return job.input.name + ".webm";
});

export const transcoded = videos.returns(transcode);

export async function upload(on: Caller, name: string) {
  const task = await transcoded.start(on, { name, parts: 3 }, { deadline: new Date(Date.now() + 2 * 3_600_000) });
  return task.cancel("uploaded twice"); // whether this call has cancelled it
}

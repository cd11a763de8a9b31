// docs/howto/schedules.md
import { type, workflow } from "../../src/index.js";

export const reports = workflow({ namespace: "guide", name: "regional_reports_ts", version: "1.0.0", input: type<{ region: string }>(), identity: "new" });

const write = reports.step("write", (job) => `report for ${job.input.region}`);

reports.schedule("nightly_ts", { cron: "0 2 * * *", timezone: "Europe/Berlin", input: { region: "eu" }, overlap: "skip", catchUp: "skip" });

export const report = reports.returns(write);

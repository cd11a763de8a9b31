// docs/howto/failure-branches.md
import { ended, failed, firstOf, Permanent, type, workflow } from "../../src/index.js";

type Delivery = { parcel: string; van?: string };

const deliveries = workflow({ namespace: "guide", name: "deliveries_ts", version: "1.0.0", input: type<Delivery>(), identity: "new", onUndo: "drain" });

const reserve = deliveries.step("reserve", (job) => `a van for ${job.input.parcel}`);
const send = deliveries.step("send", { after: reserve }, (job) => {
  if (job.input.van !== undefined) throw new Permanent(`the van is ${job.input.van}`);
  return "sent";
});
const alert = deliveries.step("alert", { after: failed(send) }, (_, failures) => `${failures[0]!.step}: ${failures[0]!.error}`);
const cleanUp = deliveries.step("clean_up", { after: ended(send) }, (_, failures) => failures.length);

export const delivery = deliveries.returns({ alert, cleanUp });

const quotes = workflow({ namespace: "guide", name: "quotes_ts", version: "1.0.0", input: type<Delivery>(), identity: "new" });

const ups = quotes.step("ask_ups", () => 700);
const dhl = quotes.step("ask_dhl", () => 800);
const book = quotes.step("book", { after: firstOf({ ups, dhl }) }, (_, offers) => (offers.ups !== undefined ? `ups for ${offers.ups}` : `dhl for ${offers.dhl}`));

export const quote = quotes.returns(book);

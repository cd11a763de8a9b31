// docs/howto/compensation.md
import { type, workflow } from "../../src/index.js";

export const flights = {
  booked: new Map<string, string>(),
  async book(key: string, _to: string) {
    this.booked.set(key, "X7");
    return { number: "X7" };
  },
  async cancel(number: string) {
    for (const [key, booked] of this.booked) if (booked === number) this.booked.delete(key);
  },
  async cancelIfBooked(key: string) {
    this.booked.delete(key);
  },
};

const trips = workflow({ namespace: "guide", name: "trips_ts", version: "1.0.0", input: type<{ to: string }>(), onFailure: "fail" });

export const flight = trips.step("flight", (job) => flights.book(job.taskUUID, job.input.to));
flight.undo(async (job, undo) => {
  if (undo.known) await flights.cancel(undo.result.number);
  else await flights.cancelIfBooked(job.taskUUID); // begun, and without a known result: the key that flight passed
});

const pay = trips.step("pay", { after: flight }, (job, booking) => {
  if (job.input.to === "Atlantis") throw new Error("there is no hotel in Atlantis");
  return `paid for ${booking.number}`;
});

export const trip = trips.returns(pay);

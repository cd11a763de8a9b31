// docs/howto/retries.md
import { Permanent, Retry, type, workflow } from "../../src/index.js";

export class CardExpired extends Error {}
export class TooManyRequests extends Error {}

export const bank = { charge: async (_key: string, cents: number) => ({ number: `R-${cents}` }) };

export const payments = workflow({ namespace: "guide", name: "payments_ts", version: "1.0.0", input: type<{ cents: number }>() });

export const charge = payments.step("charge", { retry: { attempts: 5, base: 2, factor: 3, max: 60 } }, async (job) => {
  try {
    return await bank.charge(job.stepUUID, job.input.cents);
  } catch (error) {
    if (error instanceof CardExpired) throw new Permanent("the card has expired"); // no further attempt
    if (error instanceof TooManyRequests) throw new Retry("too many requests", 600); // instead of the template's wait; the attempt counts
    throw error; // any other error: by the template
  }
});

const patient = { after: charge, retry: { attempts: 10, base: 30, constant: true } };
export const notify = payments.step("notify", patient, (_, receipt) => `paid: ${receipt.number}`);
payments.step("withdraw", { after: notify, retry: false }, () => true);

export const pay = payments.returns(notify);

// docs/howto/input.md
import { z } from "zod";

import { workflow } from "../../src/index.js";

const Refund = z.object({ amount: z.int().min(1).describe("In cents."), note: z.string().max(200).optional() });

const refunds = workflow({ namespace: "guide", name: "refunds_ts", version: "1.0.0", input: Refund, identity: "new", checkInput: true });
const payBack = refunds.step("pay_back", (job) => job.input.amount);
export const refund = refunds.returns(payBack);

// docs/howto/joins.md
import { anyOf, eq, gte, lt, settled, type, workflow } from "../../src/index.js";

type Damage = { amount: number; card?: string };
class CardExpired extends Error {}
const bank = {
  async charge(_key: string, card = "valid") {
    if (card === "expired") throw new CardExpired("the card has expired");
  },
};

const claims = workflow({ namespace: "guide", name: "claims_ts", version: "1.0.0", input: type<Damage>() });

const assess = claims.step("assess", (job) => ({ amount: job.input.amount }));
const approve = claims.step("approve", { after: assess.when((d) => lt(d.amount, 1000)) }, () => "approved");
const investigate = claims.step("investigate", { after: assess.when((d) => gte(d.amount, 1000)) }, () => "investigated");
const pay = claims.step("pay", { after: anyOf({ approve, investigate }) }, (_, by) => `paid, ${by.approve ?? by.investigate}`);
const archive = claims.step("archive", { after: settled(pay) }, (_, paid) => paid ?? "not paid");

export const claim = claims.returns(archive);

const careful = workflow({ namespace: "guide", name: "careful_payments_ts", version: "1.0.0", input: type<Damage>(), onFailure: "halt" });

const charge = careful.step("charge", async (job): Promise<{ ok: boolean; refused?: string }> => {
  try {
    await bank.charge(job.stepUUID, job.input.card);
  } catch (error) {
    if (error instanceof CardExpired) return { ok: false, refused: error.message }; // a result: conditions on ok choose
    throw error;
  }
  return { ok: true };
});
export const remind = careful.step("remind", { after: charge.when((c) => eq(c.ok, false)) }, (_, c) => `reminded: ${c.refused}`);

export const charging = careful.returns(charge);

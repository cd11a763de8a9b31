// An invoice: priced line by line, approved if it is large, booked in the transaction of its result, charged and mailed. If a step fails,
// the invoice is undone.
import { z } from "zod";
import { anyOf, eq, gte, type Job, lt, signal, workflow } from "../src/index.js";

const Line = z.object({ sku: z.string(), qty: z.number() });
export const Invoice = z.object({ number: z.string(), customer: z.string(), lines: z.array(Line) });
type Invoice = z.infer<typeof Invoice>;

// Other systems, as a program knows them.
export const bank = {
  charge: async (key: string, customer: string, cents: number) => ({ receipt: `R-${key.slice(0, 4)}-${customer}`, cents }),
  refund: async (_receipt: string): Promise<void> => {},
};
export const smtp = { send: async (_to: string, _receipt: string): Promise<void> => {} };

export const approved = signal("approved", z.object({ ok: z.boolean(), note: z.string().optional() }));
const flow = workflow({ namespace: "billing", name: "invoice", version: "1.1.0", input: Invoice, identity: "key", onFailure: "fail" });

const fetch = flow.step("fetch", { retry: { attempts: 5, base: 0.2, max: 5 } }, async (job) => ({ lines: job.input.lines }));
const price = flow.map("price", { over: fetch.each((r) => r.lines), maxParallel: 5 }, async (_, l) => l.sku.length * 100 * l.qty);
const total = flow.step("total", { after: price }, (_, prices) => ({ cents: prices.reduce((a, b) => a + b, 0) }));
const large = total.when((t) => gte(t.cents, 100_000));
const small = total.when((t) => lt(t.cents, 100_000));
const approve = flow.wait("approve", approved, { after: large, timeout: "3d", assignee: "finance" });
const book = flow.step("book", { after: anyOf([small, approve.when((a) => eq(a.payload.ok, true))]) }, async (job) => {
  await (await job.tx()).query("update invoices set booked = true where number = $1", [job.input.number]);
});
book.undo(unbook);
const options = { after: [total, book], limit: "bank", limitKey: (i: Invoice) => i.customer, timeout: "20s" } as const;
const charge = flow.step("charge", { ...options, retry: { attempts: 3, base: 0.3 } }, (job, [t]) =>
  job.once("charge", (key) => bank.charge(key, job.input.customer, t.cents)),
);
charge.undo(async (_, u) => (u.known ? bank.refund(u.result.receipt) : undefined));
const mail = { after: charge, retry: { attempts: 2, base: 0.2 } };
flow.step("mail", mail, (job, c) => smtp.send(job.input.customer, c.receipt));
const house = { number: "house", customer: "house", lines: [] };
flow.schedule("nightly", { cron: "0 2 * * *", timezone: "Europe/Berlin", input: house, overlap: "skip" });

export const invoice = flow.returns({ total, charge });

async function unbook(job: Job<Invoice>) {
  await (await job.tx()).query("update invoices set booked = false where number = $1", [job.input.number]);
}

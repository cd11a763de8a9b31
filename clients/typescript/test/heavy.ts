// The functions that compute.test.ts runs in threads.
import { Permanent, serve } from "../src/index.js";

export const functions = serve({
  double: (n: number) => 2 * n,
  refuse: (): never => {
    throw new Permanent("never");
  },
  spin: (): never => {
    for (;;);
  },
});

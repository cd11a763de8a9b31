import { isMainThread, parentPort, Worker as Thread } from "node:worker_threads";

import { Permanent } from "./errors.js";

interface Asked {
  id: number;
  name: string;
  input: unknown;
}

interface Answered {
  id: number;
  result?: unknown;
  /** The fields of an error, since objects lose their class on the way from thread to thread. */
  failure?: { message: string; name: string; stack: string | undefined; permanent: boolean };
}

interface Waiting {
  resolve: (result: any) => void;
  reject: (error: unknown) => void;
}

/** Threads runs functions that compute for long in separate threads, so that the event loop of the program can still renew leases, answer
 * requests and take signals. One thread runs one call at a time. */
export class Threads<F extends Record<string, (input: any) => unknown>> {
  readonly #module: URL | string;
  readonly #size: number;
  readonly #idle: Thread[] = [];
  readonly #calls = new Map<number, Waiting>();
  readonly #queue: (() => void)[] = [];
  #threads = 0;
  #next = 0;
  #closed = false;

  /** The module calls serve with its functions: new Threads<typeof functions>(new URL("./heavy.js", import.meta.url)). */
  constructor(module: URL | string, options: { size?: number } = {}) {
    this.#module = module;
    this.#size = options.size ?? 2;
  }

  /** call runs a function of the module. When the signal, such as job.signal, ends, the thread of the call ends, too. */
  async call<N extends keyof F & string>(name: N, input: Parameters<F[N]>[0], signal?: AbortSignal): Promise<Awaited<ReturnType<F[N]>>> {
    if (this.#closed) throw new Error("the threads are closed");
    signal?.throwIfAborted();
    const thread = await this.#take();
    const id = this.#next++;
    return new Promise<any>((resolve, reject) => {
      const over = (): void => {
        this.#calls.delete(id);
        signal?.removeEventListener("abort", abort);
        thread.off("exit", exit).off("error", reject);
      };
      const abort = (): void => {
        over();
        reject(signal!.reason);
        void thread.terminate(); // A running computation cannot receive a message, so its thread must end.
      };
      const exit = (): void => {
        over();
        reject(new Error(`the thread of "${name}" has ended`));
      };
      const settle = (give: (value: any) => void) => (value: unknown): void => {
        over();
        this.#free(thread);
        give(value);
      };
      this.#calls.set(id, { resolve: settle(resolve), reject: settle(reject) });
      thread.on("exit", exit).on("error", reject);
      signal?.addEventListener("abort", abort);
      thread.postMessage({ id, name, input } satisfies Asked);
    });
  }

  /** close ends the threads. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.splice(0).map((thread) => thread.terminate()));
  }

  async #take(): Promise<Thread> {
    for (;;) {
      const idle = this.#idle.pop();
      if (idle) return idle;
      if (this.#threads < this.#size) return this.#start();
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
  }

  #start(): Thread {
    this.#threads++;
    const thread = new Thread(this.#module);
    thread.on("message", ({ id, result, failure }: Answered) => {
      const call = this.#calls.get(id);
      if (failure === undefined) call?.resolve(result);
      else call?.reject(Object.assign(failure.permanent ? new Permanent(failure.message) : new Error(failure.message), { name: failure.name, stack: failure.stack }));
    });
    thread.on("error", () => {});
    thread.on("exit", () => {
      this.#threads--;
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
      this.#queue.shift()?.();
    });
    return thread;
  }

  #free(thread: Thread): void {
    if (this.#closed) return void thread.terminate();
    this.#idle.push(thread);
    this.#queue.shift()?.();
  }
}

/** serve makes a module's functions callable by Threads. The module calls serve at its top level. Outside of a thread serve does
 * nothing. */
export function serve<F extends Record<string, (input: any) => unknown>>(functions: F): F {
  if (isMainThread || !parentPort) return functions;
  const port = parentPort;
  port.on("message", ({ id, name, input }: Asked) => {
    void (async () => {
      try {
        port.postMessage({ id, result: await functions[name]!(input) } satisfies Answered);
      } catch (error) {
        const { message, name: of, stack } = error instanceof Error ? error : new Error(String(error));
        port.postMessage({ id, failure: { message, name: of, stack, permanent: error instanceof Permanent } } satisfies Answered);
      }
    })();
  });
  return functions;
}

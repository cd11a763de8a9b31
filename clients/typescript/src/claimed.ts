/** Kept is the result of a call that a durable function has kept. */
export interface Kept {
  name: string;
  occurrence: number;
  value?: unknown;
  error?: string | null;
}

/** Claimed is a step in the form that an exchange returns. */
export interface Claimed {
  step_uuid: string;
  claim_no: number;
  task_uuid: string;
  namespace: string;
  task_name: string;
  task_version: string;
  name: string;
  handler: string;
  attempt: number;
  max_attempts: number;
  lost_count: number;
  timeout_seconds: number | null;
  correlation_id: string;
  headers: Record<string, unknown> | null;
  inputs: unknown;
  checkpoint: unknown;
  last_error: string | null;
  context: unknown;
  parent_results: Record<string, unknown> | null;
  /** undecodable is the reason why a payload cannot be decrypted. */
  undecodable?: string;
  kept: { round: number; count: number; results: Kept[] | null; state?: unknown } | null;
}

create or replace function tasker.keep_claim_mark(
  p_namespaces  text[],
  p_handlers    text[],
  p_now         timestamptz,
  p_all         boolean,
  p_groups      tasker.step_queue[]
)
  returns void
  language plpgsql
as $$
declare
  v_read text := extract(epoch from p_now);
  v_ok   text;
begin
  if not p_all then
    v_read := split_part(current_setting('tasker.claim_mark'), ' ', 2);
  end if;
  -- Rows of transactions that are open now may be dated back to their beginning.
  v_ok := set_config('tasker.claim_mark', concat_ws(
    ' ',
    md5(p_namespaces::text || p_handlers::text),
    v_read,
    extract(epoch from least((select min(g.visible_at) from unnest(p_groups) as g), p_now - interval '250 milliseconds'))
  ), false);
end;
$$;

comment on function tasker.keep_claim_mark is
$$Keeps in the session from when on its next claim for these handlers reads the queue: from the oldest row that these groups found. p_all: this claim read the queue from the beginning. A setting of the session keeps it, since nothing else lives as long and costs no write. Locks nothing.$$;

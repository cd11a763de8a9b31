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
  -- Transactions that are open now may write rows that are dated back to the beginning of the transaction.
  v_ok := set_config('tasker.claim_mark', concat_ws(
    ' ',
    md5(p_namespaces::text || p_handlers::text),
    v_read,
    extract(epoch from least((select min(g.visible_at) from unnest(p_groups) as g), p_now - interval '250 milliseconds'))
  ), false);
end;
$$;

comment on function tasker.keep_claim_mark is
$$Keeps a mark in the session: the time from which the next claim for these handlers reads the queue. It is the time of the oldest row that this claim found. p_all is true if this claim read the queue from the beginning. The mark is a setting of the session, because such a setting lives as long as the session and costs no write. Locks nothing.$$;

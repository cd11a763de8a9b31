-- down: nothing
create or replace function tasker_pgmq.read_grouped_rr(queue_name text, vt integer, qty integer)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select r.* from pgmq._claim_groups(queue_name, vt, qty, 'rr') as r;
end;
$$;

comment on function tasker_pgmq.read_grouped_rr(text, integer, integer) is
$$Takes up to qty visible messages, one of each group, then a second of each, and so on; hides them for vt seconds. Returned in that order.

A group is the messages with the same header x-pgmq-group, in the order of sending; while one of them is hidden, those after it wait.$$;

-- down: nothing
create or replace function tasker_pgmq.read_grouped(queue_name text, vt integer, qty integer)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select r.* from pgmq._claim_groups(queue_name, vt, qty, 'fill') as r;
end;
$$;

comment on function tasker_pgmq.read_grouped(text, integer, integer) is
$$Takes up to qty visible messages, all of the oldest group first, then of the next; hides them for vt seconds. Returned by id.

A group is the messages with the same header x-pgmq-group, in the order of sending; while one of them is hidden, those after it wait.$$;

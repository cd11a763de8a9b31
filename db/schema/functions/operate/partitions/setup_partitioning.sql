-- The function uses "begin atomic" and does not pin search_path, like ensure_partitions, which it calls.
create or replace function tasker.setup_partitioning(
  p_interval   interval  default null,
  p_premake    integer   default null,
  p_retention  interval  default null,
  p_backend    text      default null,
  p_actor      text      default null,
  p_reason     text      default null
)
  returns setof tasker.partition_statuses
  language sql
  security definer
begin atomic
  select tasker.check_unbound();
  select tasker.administer(p_actor, p_reason);
  select case
    when tasker.configure_partitions(p_interval, p_premake, p_retention, p_backend)
      then tasker.make_partitions(current_setting('search_path'))
  end;
  select s.* from tasker.partition_status() as s;
end;

comment on function tasker.setup_partitioning is
$$Sets the length of ranges (1 month, 7 days, 1 day or 1 hour), how many ranges are created ahead, how long a range is
kept, and which manager creates partitions ("auto", "builtin" or "pg_partman"). A null argument leaves its value
unchanged. Returns the row of tasker.partition_status.

Idempotent. The call is safe in a database with data, because ranges that have begun stay. If the interval changes,
ranges that have not begun are dropped, and the new ranges begin without a gap where the last remaining range ends. Call
tasker.ensure_partitions() afterwards until it returns 0. Locks the run tables exclusively only to drop such ranges, as
tasker.apply_retention does. If it cannot drop them, partition_status says so, and another call tries again. Call this
function in its own transaction. Raises TK422 for invalid values, and TK409 if pg_partman is requested and cannot create
the partitions, or if the isolation level is above READ COMMITTED.$$;

grant execute on function tasker.setup_partitioning to tasker_operator;

-- The function does not pin search_path and uses "begin atomic" instead, like ensure_partitions, which it
-- calls.
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
$$Sets the length of ranges (1 month, 7 days, 1 day or 1 hour), how many are created ahead, how long a range is kept, and which manager creates partitions (auto, builtin, pg_partman). Returns tasker.partition_status. Null leaves a value unchanged.

Idempotent, and safe on a filled database: ranges that have begun stay. With another interval, ranges that have not
begun are dropped. The new ranges begin where the last remaining range ends, without a gap. Call
tasker.ensure_partitions() afterwards until it returns 0. Locks the run tables exclusively only to drop such ranges, as
tasker.apply_retention does. If it cannot, partition_status says so and another call tries again. Call it in its own
transaction. Raises TK422 for invalid values, TK409 if pg_partman is requested and cannot do it, or if the isolation
level is above READ COMMITTED.$$;

grant execute on function tasker.setup_partitioning to tasker_operator;

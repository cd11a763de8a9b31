-- Not pinned but "begin atomic", as ensure_partitions is, which it calls.
create or replace function tasker.setup_partitioning(
  p_interval  interval default null,
  p_premake   integer  default null,
  p_retention interval default null,
  p_backend   text     default null
)
  returns setof tasker.partition_statuses
  language sql
  security definer
begin atomic
  select tasker.check_unbound();
  select case
    when tasker.configure_partitions(p_interval, p_premake, p_retention, p_backend)
      then tasker.make_partitions(current_setting('search_path'))
  end;
  select s.* from tasker.partition_status() as s;
end;

comment on function tasker.setup_partitioning(interval, integer, interval, text) is
$$Sets how long ranges are (1 month, 7 days, 1 day or 1 hour), how many lie ready ahead, how old a range becomes and who makes partitions (auto, builtin, pg_partman), and returns the state of things. Null leaves a value as it is.

Idempotent, and meant for a filled database too: ranges that have begun stay; with another interval those that have not begun are dropped and the new ones begin where the last one ends, without a gap. Then call tasker.ensure_partitions() until it returns 0. Locks the run tables against everybody only to drop such ranges, as tasker.apply_retention does; if it cannot, partition_status says so and a further call tries again. In a transaction of its own. Raises TK422 for values that cannot be, TK409 if pg_partman is asked for and cannot do it, or above read committed.$$;

revoke all on function tasker.setup_partitioning(interval, integer, interval, text) from public;
grant execute on function tasker.setup_partitioning(interval, integer, interval, text) to tasker_operator;

create or replace function tasker.take_group_rows(
  p_groups  tasker.step_queue[],
  p_limit   integer,
  p_until   timestamptz,
  p_claim   boolean
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_taken tasker.step_queue[];
begin
  -- Begin at the row that the group was found by: under an old snapshot, what was taken before is still in the index.
  with locked as materialized (
    select k.task_uuid, k.step_no
      from unnest(p_groups) with ordinality as g
     cross join lateral (
       select k.task_uuid, k.step_no
         from tasker.step_queue as k
        where k.namespace = g.namespace
          and k.lane = g.lane
          and k.named_step_uuid = g.named_step_uuid
          and k.visible_at between g.visible_at and v_now
        order by k.visible_at
        limit (p_limit + cardinality(p_groups) - g.ordinality) / cardinality(p_groups)
          for update skip locked
     ) as k
  ),
  taken as (
    update tasker.step_queue as q
       set visible_at = p_until,
           lane       = case when p_claim then 'running' else q.lane end,
           claim_no   = case when p_claim then tasker.next_claim_no(q.claim_no) else q.claim_no end
      from locked as k
     where q.task_uuid = any (array[k.task_uuid])
       and q.step_no = k.step_no
    returning q
  )
  select coalesce(array_agg(t.q), '{}') into v_taken from taken as t;
  return v_taken;
end;
$$;

comment on function tasker.take_group_rows(tasker.step_queue[], integer, timestamptz, boolean) is
$$Takes at most p_limit visible rows of these groups from the queue, none older than the row that stands for its group, equal parts of each: locks them and hides them until p_until; if p_claim is true, as running under their next claim number. Skips rows that other transactions hold.$$;

revoke all on function tasker.take_group_rows(tasker.step_queue[], integer, timestamptz, boolean) from public;

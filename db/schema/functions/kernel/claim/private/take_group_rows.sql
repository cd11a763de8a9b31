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
  v_one   tasker.step_queue;
  v_taken tasker.step_queue[];
begin
  -- Begin at the row by which the group was found. Under an old snapshot, the index still has rows that were taken
  -- earlier.
  if p_limit = 1 and cardinality(p_groups) = 1 then
    v_one := p_groups[1];
    update tasker.step_queue as q
       set visible_at = p_until,
           lane       = case when p_claim then 'running' else q.lane end,
           claim_no   = case when p_claim then tasker.next_claim_no(q.claim_no) else q.claim_no end
     where q.ctid = (
       select k.ctid
         from tasker.step_queue as k
        where k.namespace = v_one.namespace
          and k.lane = v_one.lane
          and k.named_step_uuid = v_one.named_step_uuid
          and k.visible_at between v_one.visible_at and v_now
        order by k.visible_at
        limit 1
          for update skip locked
     )
    returning q.*
      into v_one;
    return case when found then array[v_one] else '{}' end;
  end if;

  with locked as materialized (
    select k.tid
      from unnest(p_groups) with ordinality as g
     cross join lateral (
       select k.ctid as tid
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
     where q.ctid = k.tid
    returning q
  )
  select coalesce(array_agg(t.q), '{}') into v_taken from taken as t;
  return v_taken;
end;
$$;

comment on function tasker.take_group_rows is
$$Takes at most p_limit visible rows of these groups from the queue, and an equal number from each group. It takes no row that is older than the row by which the group was found. Locks the rows and hides them until p_until. If p_claim is true, hides them as running under their next claim number. Skips rows that other transactions hold.$$;

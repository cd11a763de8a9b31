-- down: nothing
create or replace function tasker_pgmq._claim_groups(queue_name text, vt integer, qty integer, layout text)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_table  text        := format('pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  v_now    timestamptz := clock_timestamp();
  v_heads  bigint[]    := '{}';
  v_filled bigint      := 0;
  v_head   record;
  v_cursor refcursor;
begin
  -- No number is none, but all of the heads; so answers the extension.
  if layout <> 'head' then
    qty := coalesce(qty, 0);
  end if;
  if layout = 'rr' then
    qty := greatest(qty, 0);
  end if;

  -- A group belongs to the reader that locks its oldest message, and is skipped while that one is locked
  -- or hidden. No more groups are locked than fill the batch.
  open v_cursor for execute format(
    $sql$
      select h.msg_id, g.visible
        from (
          select min(q.msg_id) as head, count(*) filter (where q.vt <= $1) as visible
            from %1$s as q
           group by q.headers ->> 'x-pgmq-group'
        ) as g
        join %1$s as h on h.msg_id = g.head
       where h.vt <= $1
       order by h.msg_id
       limit $2
         for update of h skip locked
    $sql$,
    v_table
  ) using v_now, qty;
  loop
    exit when layout = 'fill' and v_filled >= qty;
    fetch v_cursor into v_head;
    exit when not found;
    v_heads  := v_heads || v_head.msg_id;
    v_filled := v_filled + v_head.visible;
  end loop;
  close v_cursor;

  -- One of each group is all that is asked for, or all that the batch takes: these are the heads.
  if layout = 'head' or layout = 'rr' and cardinality(v_heads) >= qty then
    return query execute format(
      $sql$
        with claimed as (
          update %s as q
             set vt           = $2,
                 read_ct      = q.read_ct + 1,
                 last_read_at = $1
           where q.msg_id = any ($3)
          returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
        )
        select c.* from claimed as c order by c.msg_id
      $sql$,
      v_table
    ) using v_now, v_now + make_interval(secs => vt), v_heads;
    return;
  end if;

  return query execute format(
    $sql$
      with members as (
        select q.msg_id, h.msg_id as head, row_number() over (partition by h.msg_id order by q.msg_id) as layer
          from %1$s as q
          join %1$s as h
            on coalesce(h.headers ->> 'x-pgmq-group', '') = coalesce(q.headers ->> 'x-pgmq-group', '')
           and (h.headers ->> 'x-pgmq-group' is null) = (q.headers ->> 'x-pgmq-group' is null)
         where h.msg_id = any ($4)
           and q.vt <= $1
      ), picked as materialized (
        select m.msg_id, m.head, m.layer
          from members as m
         order by case when $5 = 'fill' then 0 else m.layer end, m.head, m.layer
         limit $2
      ), claimed as (
        update %1$s as q
           set vt           = $1 + make_interval(secs => $3),
               read_ct      = q.read_ct + 1,
               last_read_at = $1
          from picked as p
         where q.msg_id = p.msg_id
           and q.vt <= $1
        returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers, p.layer, p.head
      )
      select c.msg_id, c.read_ct, c.enqueued_at, c.last_read_at, c.vt, c.message, c.headers
        from claimed as c
       order by case when $5 = 'rr' then c.layer end, case when $5 = 'rr' then c.head end, c.msg_id
    $sql$,
    v_table
  ) using v_now, qty, vt, v_heads, layout;
end;
$$;

comment on function tasker_pgmq._claim_groups(text, integer, integer, text) is
$$Takes messages of groups (header x-pgmq-group; those without it are one group) and hides them for vt seconds.

Only from groups whose oldest message is visible, and that no other reader is taking from. Layout fill: the oldest group's messages, then the next one's; rr: one of each group, then a second of each; head: one of each.$$;

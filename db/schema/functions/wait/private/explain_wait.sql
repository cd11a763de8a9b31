create or replace function tasker.explain_wait(p_task_uuid uuid, p_await jsonb, p_due_at timestamptz)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_signals text[];
  v_until   text := to_char(p_due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"');
begin
  if p_await is null then
    return 'It is suspended: its handler goes on when it is resumed.';
  elsif p_await ? 'diverged' then
    return format(
      'Its function has changed: as its call %s it asks for "%s", but "%s" is kept there. It is tried again at %s; run a worker whose code fits what is kept, or let the new code in with worker.Changed.',
      p_await #>> '{diverged,position}', p_await #>> '{diverged,asked}', p_await #>> '{diverged,expected}', v_until
    );
  end if;
  v_signals := array(
    select a.value ->> 'signal'
      from jsonb_array_elements(p_await -> 'any') with ordinality as a (value, no)
     where a.value ? 'signal'
     group by a.value ->> 'signal'
     order by min(a.no)
     limit 10
  );
  if v_signals = '{}' then
    return format('It waits until %s.', v_until);
  end if;

  return format(
    'It waits for signal %s%s: select * from tasker.send_signal(%L, %L, payload).%s',
    (select string_agg(format('"%s"', u.signal), ' or ') from unnest(v_signals) as u (signal)),
    coalesce(' from ' || (p_await ->> 'assignee'), ''), p_task_uuid, v_signals[1],
    case
      when v_until is null then ''
      when p_await ? 'timeout' and p_await ? 'on_timeout' then format(
        ' At %s it %s, unless the signal comes before.', v_until,
        case p_await ->> 'on_timeout' when 'skip' then 'is skipped' when 'complete' then 'is complete without it' else 'fails' end
      )
      else format(' At %s it goes on without one.', v_until)
    end
  );
end;
$$;

comment on function tasker.explain_wait(uuid, jsonb, timestamptz) is
$$What a suspended step waits for, in words: who has to do what, by which call, and what becomes of it otherwise.$$;

revoke all on function tasker.explain_wait(uuid, jsonb, timestamptz) from public;

create or replace function tasker.explain_wait(p_task_uuid uuid, p_step_no integer, p_await jsonb, p_due_at timestamptz)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text[];
  v_calls text[];
  v_until text := to_char(p_due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"');
begin
  if p_await is null then
    return 'It is suspended: its handler goes on when it is resumed.';
  elsif p_await #>> '{diverged,position}' = '0' then
    return format(
      'Its code has changed: the result of "%s" does not fit the type that its handler asks for. It is tried again at %s; run a worker whose code fits the result.',
      p_await #>> '{diverged,asked}', v_until
    );
  elsif p_await #>> '{diverged,asked}' = p_await #>> '{diverged,expected}' then
    return format(
      'Its function has changed: the value that its call %s, "%s", has kept does not fit the type that it asks for. It is tried again at %s; run a worker whose code fits what is kept.',
      p_await #>> '{diverged,position}', p_await #>> '{diverged,expected}', v_until
    );
  elsif p_await ? 'diverged' then
    return format(
      'Its function has changed: as its call %s it asks for "%s", but "%s" is kept there. It is tried again at %s; run a worker whose code fits what is kept, or let the new code in with worker.Changed.',
      p_await #>> '{diverged,position}', p_await #>> '{diverged,asked}', p_await #>> '{diverged,expected}', v_until
    );
  end if;
  if p_await ? 'snoozed' then
    return format('Its handler has asked to run again at %s%s.', v_until, coalesce(': ' || nullif(p_await ->> 'snoozed', ''), ''));
  end if;
  -- For each kind (signal or event), name the call only once, for the first alternative of the kind.
  select
    array_agg(
      case
        when w.signal is not null then format('%s"%s"', case when w.signals_before then '' else 'signal ' end, w.signal)
        else format('event "%s"', w.event) || case when w.event_key <> '' then format(' with key "%s"', w.event_key) else '' end
      end
      order by w.wait_no
    ),
    array_agg(
      case
        when w.signal is not null then format('select * from tasker.send_signal(%L, %L, payload)', p_task_uuid, w.signal)
        else format('select * from tasker.emit_event(%L, %L, %L, payload)', w.namespace, w.event, w.event_key)
      end
      order by w.wait_no
    ) filter (where w.place = 1)
    into v_names, v_calls
    from (
      select w.*, row_number() over (partition by w.signal is null order by w.wait_no) as place,
             lag(w.signal) over (order by w.wait_no) is not null as signals_before
        from tasker.waits as w
       where w.task_uuid = p_task_uuid
         and w.step_no = p_step_no
       order by w.wait_no
       limit 10
    ) as w;
  if v_names is null then
    return format('It waits until %s.', v_until);
  end if;

  return format(
    'It waits for %s%s: %s.%s',
    array_to_string(v_names, ' or '), coalesce(' from ' || (p_await ->> 'assignee'), ''), array_to_string(v_calls, ', or '),
    case
      when v_until is null then ''
      when p_await ? 'timeout' and p_await ? 'on_timeout' then format(
        ' At %s it %s, unless the %s comes before.', v_until,
        case p_await ->> 'on_timeout' when 'skip' then 'is skipped' when 'complete' then 'is complete without it' else 'fails' end,
        case when v_names[1] like 'signal%' then 'signal' else 'event' end
      )
      else format(' At %s it goes on without one.', v_until)
    end
  );
end;
$$;

comment on function tasker.explain_wait is
$$Explains the wait of a suspended step: who has to act, by which call, and how the wait ends otherwise.$$;

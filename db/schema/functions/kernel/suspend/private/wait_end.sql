create or replace function tasker.wait_end(p_await jsonb, p_context jsonb, p_since timestamptz)
  returns tasker.wait_ends
  language plpgsql
  stable
as $$
declare
  v_one  jsonb;
  v_at   timestamptz;
  v_by   text;
  v_end  tasker.wait_ends;
  v_bad  text;
begin
  for v_one in select a.value from jsonb_array_elements(p_await -> 'any') as a (value) loop
    v_bad := coalesce(
      tasker.regex_error(v_one ->> 'when'), tasker.regex_error(v_one ->> 'key'), tasker.regex_error(v_one ->> 'until')
    );
    if v_bad is not null then
      v_end.due_at := p_since;
      v_end.ended_by := 'timeout';
      v_end.problem := 'the wait cannot be judged: ' || v_bad;
      return v_end;
    end if;
    continue when v_one ? 'signal';
    if v_one ? 'event' then
      continue when tasker.event_key(v_one ->> 'key', p_context) is not null;
      v_end.due_at := p_since;
      v_end.ended_by := 'event';
      v_end.problem := format(
        'key: %s of the context is not a text, number or boolean of at most 500 characters', v_one ->> 'key'
      );
      return v_end;
    end if;
    if v_one ? 'for' then
      v_by := 'for';
      v_at := p_since + (v_one ->> 'for')::numeric * interval '1 second';
    else
      v_by := 'until';
      v_at := tasker.instant_of(case
        when v_one ->> 'until' like '$%'
          then jsonb_path_query_first(p_context, tasker.stored_path(v_one ->> 'until'), '{}', true) #>> '{}'
        else v_one ->> 'until'
      end);
      if v_at is null then
        v_end.due_at := p_since;
        v_end.ended_by := 'until';
        v_end.problem := format(
          'until: %s of the context is not a time such as 2026-12-24T18:00:00Z', v_one ->> 'until'
        );
        return v_end;
      end if;
    end if;
    if v_end.due_at is null or v_at < v_end.due_at then
      v_end.due_at := v_at;
      v_end.ended_by := v_by;
    end if;
  end loop;

  v_at := p_since + (p_await ->> 'timeout')::numeric * interval '1 second';
  if v_at < coalesce(v_end.due_at, 'infinity') then
    v_end.due_at := v_at;
    v_end.ended_by := 'timeout';
  end if;
  return v_end;
end;
$$;

comment on function tasker.wait_end is
$$Returns the time at which a wait that began at p_since ends unless a signal or an event ends it first, and the alternative that then ends it. The same rule sets the timer of the wait and applies when the timer fires. A day is 86,400 seconds, whatever the session's time zone.$$;

create or replace function tasklib.list_tasks(
  p_state   text     default null,
  p_name    text     default null,
  p_limit   integer  default 100,
  p_tags    jsonb    default null,
  p_before  uuid     default null
)
  returns setof tasklib.task_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_state tasklib.task_state;
begin
  p_limit := coalesce(p_limit, 100);
  if p_state is not null then
    v_state := tasklib.parse_state(p_state);
  end if;
  if p_limit between 1 and 10000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', coalesce(p_limit::text, 'null')),
      hint    = 'For the next page pass the last task''s id as p_before.';
  end if;

  -- PostgreSQL plans this query for the given filters. A condition on a rare state lets the plan use the partial index of that
  -- state. Without the condition PostgreSQL would search millions of tasks to find a few.
  return query execute format(
    $list$
    select
    t.id, t.name, t.state, t.priority, t.created_at, t.submitted_by, t.scheduled_at, t.started_at, t.completed_at,
    t.locked_until, t.worker_id, t.claim_no, t.retry_count, t.max_retries, t.next_retry_at, t.timeout_seconds,
    t.expires_at, t.dedup_key, t.limit_key, t.kwargs, t.tags, t.result, t.error, t.erased_at
    from %s as t
    where true %s %s %s %s
    order by t.id desc
    limit $5
    $list$,
    case
      when v_state = 'pending' then
        '(select * from tasklib.tasks where ready and limit_key is null'
        ' union all select * from tasklib.tasks where ready and limit_key is not null'
        ' union all select * from tasklib.tasks where state = ''pending'' and not ready)'
      else 'tasklib.tasks'
    end,
    case v_state
      when 'running' then 'and t.state = ''running'' and t.locked_until is not null'
      when 'failed' then 'and t.state = ''failed'''
      when 'completed' then 'and t.state = ''completed'''
      when 'cancelled' then 'and t.state = ''cancelled'''
    end,
    case when p_name is not null then 'and t.name = $2' end,
    case when p_tags is not null then 'and t.tags @> $3' end,
    case when p_before is not null then 'and t.id < $4' end
  ) using v_state, p_name, p_tags, p_before, p_limit;
end;
$$;

comment on function tasklib.list_tasks is
$$Returns tasks that match every filter, newest first. A null argument is no filter. With p_tags, returns only tasks whose tags contain p_tags.

For the next page, pass the id of the last task as p_before. A page has p_limit tasks (default 100, at most 10,000). Raises TK422 for an unknown state or a limit out of bounds.$$;

grant execute on function tasklib.list_tasks
  to tasklib_submitter, tasklib_operator, tasklib_reader;

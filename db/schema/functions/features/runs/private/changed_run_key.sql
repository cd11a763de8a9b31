create or replace function tasker.changed_run_key(p_task tasker.tasks, p_context jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select format('Its runs have the key "%s", not "%s".', left(k.was, 100), left(k.becomes, 100))
      from tasker.creation_plans as p
     cross join lateral (
       select
         tasker.limit_key_of((p.runs ->> 'key')::jsonpath, p_task.context, '{}') as was,
         tasker.limit_key_of((p.runs ->> 'key')::jsonpath, p_context, '{}') as becomes
     ) as k
     where p.named_task_uuid = p_task.named_task_uuid
       and p.runs is not null
       and k.was <> k.becomes
  );
end;
$$;

comment on function tasker.changed_run_key is
$$Returns a sentence if the runs of a task would have another key with this context, or null if the key would be the same.$$;

create or replace function tasker.task_of_key(p_namespace text, p_name text, p_key text, p_version text)
  returns uuid
  language plpgsql
  stable
as $$
declare
  v_template tasker.creation_templates := tasker.find_template(p_namespace, p_name, p_version);
begin
  if v_template.identity_strategy <> 'caller_provided' then
    raise exception using
      errcode = 'TK422',
      message = format('tasks of template "%s/%s" have no identity key', p_namespace, p_name),
      detail  = format('Its identity strategy is %s.', v_template.identity_strategy),
      hint    = 'Use tasker.send_signal(task, …), or register the template with identity_strategy "caller_provided".';
  elsif p_key is null or length(p_key) not between 1 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('a signal to a task of template "%s/%s" needs the task''s identity key', p_namespace, p_name),
      detail  = 'A key has 1 to 1,000 characters.',
      hint    = 'Give the key with which the task is created, such as an order''s number.';
  end if;

  return (
    select i.task_uuid
      from tasker.task_identities as i
     where i.identity_hash = tasker.task_identity('caller_provided', p_namespace, p_name, null, null, p_key)
       and (i.expires_at is null or i.expires_at > tasker.clock())
       and exists (select from tasker.tasks as t where t.task_uuid = i.task_uuid)
  );
end;
$$;

comment on function tasker.task_of_key is
$$Returns the task that has this identity key, or null if there is no such task. Raises TK404 for an unknown template, TK410 for a retired version, TK422 without a key, or for a template with another identity strategy than caller_provided.$$;

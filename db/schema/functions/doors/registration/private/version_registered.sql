create or replace function tasker.version_registered(p_named_task_uuid uuid, p_template jsonb)
  returns void
  language plpgsql
as $$
begin
  perform tasker.insert_triggers(p_named_task_uuid, p_template);
  if p_template ? 'encrypted' then
    perform tasker.mark_sealed(p_named_task_uuid);
  end if;
  if p_template ? 'attributes' then
    perform tasker.declare_attributes(p_named_task_uuid, p_template);
  end if;
end;
$$;

comment on function tasker.version_registered is
$$Door: a new version of a template that has fields of features has been inserted. p_template is in normal form.$$;

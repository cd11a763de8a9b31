create or replace function tasker.check_same_template(p_old tasker.named_tasks, p_template jsonb, p_hash bytea)
  returns void
  language plpgsql
as $$
begin
  if p_old.content_hash <> p_hash then
    raise exception using
      errcode = 'TK409',
      message = format(
        'template "%s/%s" version "%s" is registered with other content',
        p_template ->> 'namespace', p_template ->> 'name', p_template ->> 'version'
      ),
      detail  = tasker.template_differences(p_old.configuration, p_template),
      hint    = 'Register the new content under a new version.';
  end if;
end;
$$;

comment on function tasker.check_same_template is
$$Raises TK409 if this version of a template is already registered with other content. The detail names the differences.$$;

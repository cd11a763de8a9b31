create or replace function tasker.note_refused_program(p_template jsonb)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_template    jsonb;
  v_types       jsonb := nullif(p_template -> 'types', 'null');
  v_old         tasker.named_tasks;
  v_differences jsonb;
begin
  perform tasker.check_depth('template', p_template);
  perform tasker.check_task_template(p_template);
  v_template := tasker.normalize_template(p_template);
  perform tasker.check_bound_namespaces(array[v_template ->> 'namespace']);
  select k.*
    into v_old
    from tasker.named_tasks as k
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where n.name = v_template ->> 'namespace'
     and k.name = v_template ->> 'name'
     and k.version = v_template ->> 'version';
  v_differences := tasker.type_differences(v_old.types, v_types);
  if v_differences = '[]' then
    return false;
  end if;

  insert into tasker.refused_programs as r (named_task_uuid, types_digest, differences, program, refused_by)
  values (
    v_old.named_task_uuid, tasker.types_digest(v_types), v_differences, nullif(left(current_setting('application_name'), 200), ''),
    tasker.recorded_caller()
  )
      on conflict on constraint refused_programs_pkey do update
     set program         = excluded.program,
         refused_by      = excluded.refused_by,
         last_refused_at = greatest(r.last_refused_at, excluded.last_refused_at),
         refusals        = r.refusals + 1;

  -- Skip locked rows, because the other session is recording its own program and also deletes old rows.
  delete from tasker.refused_programs as r
   where r.named_task_uuid = v_old.named_task_uuid
     and r.types_digest in (
       select o.types_digest
         from tasker.refused_programs as o
        where o.named_task_uuid = v_old.named_task_uuid
          and o.types_digest <> tasker.types_digest(v_types)
        order by o.last_refused_at desc, o.types_digest
       offset 9
          for update skip locked
     );
  return true;
end;
$$;

comment on function tasker.note_refused_program is
$$Records that register_task_template() refused a program because the version is registered with other types of the
context or of results. Then list_refused_programs(), check_template_change() and check_installation() name both
programs. The refusal rolls its transaction back, so the caller records the refusal in another transaction. The Go
packages workflow and template, "tasker apply" and "tasker serve" do so.

Returns false and writes nothing if no such version is registered, or if its types do not differ. Keeps the ten programs
of a version that were refused last. A repeated refusal is counted in the row of its program. Locks this row. Raises
TK422 if the template is invalid, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.note_refused_program to tasker_orchestrator, tasker_operator;

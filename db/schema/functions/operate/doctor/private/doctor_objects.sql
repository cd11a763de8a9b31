create or replace function tasker.doctor_objects()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text[];
begin
  v_names := array(select p.object from tasker.object_problems() as p);
  return query
  select
    'objects',
    case when v_names = '{}' then 'ok' else 'warn' end,
    case
      when v_names = '{}' then 'functions, views, tables and privileges are as the migrations left them'
      else format(
        '%s differ from what the migrations made: %s%s', cardinality(v_names), array_to_string(v_names[:10], ', '),
        case when cardinality(v_names) > 10 then ', …' else '' end
      )
    end,
    case when v_names <> '{}' then 'tasker.check_integrity() says how. Undo what was changed by hand, or restore a backup.' end;
end;
$$;

comment on function tasker.doctor_objects is
$$Checks whether functions, views, tables and privileges are as the migrations left them.$$;

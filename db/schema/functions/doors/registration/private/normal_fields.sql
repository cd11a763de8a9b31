create or replace function tasker.normal_fields(p_template jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
declare
  v_start  jsonb := tasker.normalize_triggers(p_template -> 'start_on');
  v_cancel jsonb := tasker.normalize_triggers(p_template -> 'cancel_on');
  v_runs   jsonb := tasker.normalize_runs(p_template -> 'runs');
begin
  return case when jsonb_typeof(p_template -> 'input_schema') = 'object' then jsonb_build_object('input_schema', p_template -> 'input_schema') else '{}' end
    || case when jsonb_typeof(p_template -> 'encrypted') = 'object' then jsonb_build_object('encrypted', tasker.normal_encryption(p_template -> 'encrypted')) else '{}' end
    || case when v_start is not null then jsonb_build_object('start_on', v_start) else '{}' end
    || case when v_cancel is not null then jsonb_build_object('cancel_on', v_cancel) else '{}' end
    || case when v_runs is not null then jsonb_build_object('runs', v_runs) else '{}' end
    || case when jsonb_typeof(p_template -> 'attributes') = 'object' then jsonb_build_object('attributes', tasker.normal_attributes(p_template -> 'attributes')) else '{}' end;
end;
$$;

comment on function tasker.normal_fields is
$$Door: returns, in normal form, those fields of a valid template that belong to features.$$;

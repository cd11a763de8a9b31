create or replace function tasker.describe_parents(p_task_uuid uuid, p_step_no integer)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return (
    select jsonb_build_object(
        'waiting', count(*) filter (where not p.settled),
        'refused', count(*) filter (where p.settled and not p.satisfied),
        'waiting_for', coalesce(jsonb_agg(p.report - 'condition' order by p.step_no) filter (where not p.settled and p.place <= 100), '[]'),
        'unsatisfied', coalesce(jsonb_agg(p.report order by p.step_no) filter (where p.settled and not p.satisfied and p.place <= 100), '[]')
      )
      from (
        select x.*, row_number() over (partition by x.settled, x.satisfied order by x.step_no) as place
          from (
            select
              o.step_no,
              o.state in ('complete', 'resolved_manually', 'cancelled') as settled,
              case when e.outcome is not null then tasker.outcome_met(e.outcome, o.task_uuid, o.step_no, o.state)
                else o.state in ('complete', 'resolved_manually')
                  and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, o.results, o.expansion, o.task_uuid, o.step_no))
              end as satisfied,
              jsonb_build_object(
                'step_uuid', o.workflow_step_uuid, 'name', o.name, 'state', o.state, 'condition', e.condition::text
              ) || jsonb_strip_nulls(jsonb_build_object('on', e.outcome, 'problem', tasker.regex_error(e.condition::text))) as report
            from tasker.workflow_step_edges as e
            cross join lateral (
              select o.*
                from tasker.workflow_steps as o
               where o.task_uuid = e.task_uuid
                 and o.step_no = e.from_step_no
              offset 0
            ) as o
            where e.task_uuid = p_task_uuid
              and e.to_step_no = p_step_no
          ) as x
      ) as p
  );
end;
$$;

comment on function tasker.describe_parents is
$$Returns for how many parents a step waits, how many of its parents have settled without satisfying the step, and the
first hundred parents of each kind.$$;

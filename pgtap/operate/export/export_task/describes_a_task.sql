begin;
select plan(14);

select tasker_test.freeze('2040-01-01 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.create_waiting(
  'pair', '[{"name": "first"}, {"name": "second", "dependencies": ["first"]}]', '{}',
  '{"email": "ada@example.org", "cards": [{"number": 1, "kind": "visa"}, {"number": 2}]}'
);
select tasker_test.claim('first');
select tasker_test.fail_for_good('first', false);
select tasker_test.pass('1 hour');
select tasker.fire_due_timers();
select tasker_test.claim('first');
select tasker_test.finish('first', '{"email": "ada@example.org", "paid": true}');

create function pg_temp.export(p_payloads boolean default true, p_blank text[] default null)
  returns jsonb
  language sql
as $$
  select tasker.export_task(tasker_test.the_task(), p_payloads, p_blank);
$$;

select is(pg_temp.export() ->> 'format', 'pgtasker.task', 'it names its format');
select is(pg_temp.export() -> 'version', '1', 'and its version');
select is(pg_temp.export() #>> '{template,content,name}', 'pair', 'it has the template as it was');
select is(pg_temp.export() #> '{task,context,cards,0,number}', '1', 'and the context');
select is(
  (select jsonb_agg(s.value - '{step_uuid,created_at,history,inputs,last_attempted_at,processed_at,last_failure_at,claim_no,last_error}'::text[])
     from jsonb_array_elements(pg_temp.export() -> 'steps') as s (value)),
  '[
    {"name": "first", "handler": "first", "state": "complete", "step_no": 1, "parents": [], "attempts": 2, "priority": 0, "function": null,
     "retryable": true, "lost_count": 0, "max_attempts": 3, "results": {"email": "ada@example.org", "paid": true}},
    {"name": "second", "handler": "second", "state": "enqueued", "step_no": 2, "parents": [1], "attempts": 0, "priority": 0, "function": null,
     "retryable": true, "lost_count": 0, "max_attempts": 3}
  ]',
  'each step has its result, its attempts and its parents'
);
select results_eq(
  $$ select h.value ->> 'event', h.value ->> 'to', h.value #>> '{metadata,error}'
       from jsonb_array_elements(pg_temp.export() #> '{steps,0,history}') as h (value) $$,
  $$ select l.event, l.to_state::text, l.metadata ->> 'error'
       from tasker.workflow_step_transitions as l
      where l.workflow_step_uuid = tasker_test.the_step('first')
        and l.sort_key > 0
      order by l.sort_key $$,
  'and its transitions, with the errors of its attempts'
);
select results_eq(
  $$ select h.value ->> 'to' from jsonb_array_elements(pg_temp.export() #> '{task,history}') as h (value) $$,
  $$ select l.to_state::text from tasker.task_transitions as l where l.task_uuid = tasker_test.the_task() and l.sort_key > 0 order by l.sort_key $$,
  'the task has its own'
);
select ok(
  pg_temp.export(false)::text !~ 'ada@|visa|paid|bank is closed', 'without payloads nothing is left that a person may have written'
);
select is(pg_temp.export(false) -> 'payloads', 'false', 'and the document says so');
select is(
  pg_temp.export(p_blank => '{$.email,"$.cards[*].number"}') #> '{task,context}',
  '{"email": null, "cards": [{"kind": "visa", "number": null}, {"number": null}]}', 'paths are blanked in the context'
);
select is(
  pg_temp.export(p_blank => '{"$.**.email"}') #> '{steps,0,results}', '{"email": null, "paid": true}', 'and in results'
);
select is(
  pg_temp.export(p_blank => '{"$.cards[1].*","$.cards.kind"}') #> '{task,context,cards}',
  '[{"kind": null, "number": 1}, {"number": null}]', 'an element, all members, and members of elements as in lax mode'
);
select is(pg_temp.export(p_blank => '{$.email}') -> 'blanked', '["$.email"]', 'the document names the paths');
select is(
  (pg_temp.export() #>> '{exported_at}')::timestamptz, tasker.clock(), 'and when it was made'
);

select * from finish();
rollback;

begin;
select plan(5);

select tasker_test.freeze();
select from tasker.register_task_template('{"namespace": "test", "name": "claim", "encrypted": {}, "identity_strategy": "always_unique", "steps": [{"name": "top"}]}');
select from tasker.create_task('test', 'claim', '{"pgtasker": {"alg": "AES-GCM", "kid": "k1", "for": "context", "hash": "aa", "ct": "c2VjcmV0"}}');
select c.step_uuid as step, c.claim_no from tasker.claim_steps(null, tasker_test.worker(1), 1) as c \gset
select tasker_test.remember_rows();

select throws_ok(
  format('select from tasker.append_items(%L, %s, %L, %L)', :'step', :claim_no, 'rows', '["secret"]'), 'TK422',
  format('the payloads of step %s are encrypted, and values and streams are stored in the clear', :'step'), 'a stream is refused'
);
select throws_ok(
  format('select from tasker.append_items(%L, %s, %L, %L)', :'step', :claim_no, 'log', '["secret"]'), 'TK422',
  format('the payloads of step %s are encrypted, and values and streams are stored in the clear', :'step'), 'the log is refused'
);
select throws_ok(
  format('select from tasker.set_value(%L, %s, %L, %L)', :'step', :claim_no, 'rows', '"secret"'), 'TK422',
  format('the payloads of step %s are encrypted, and values and streams are stored in the clear', :'step'), 'a value is refused'
);
select throws_ok(
  format('select from tasker.set_value(%L, %s, %L, %L)', :'step', :claim_no, 'progress', '{"done": 0.5, "text": "secret"}'), 'TK422',
  format('the payloads of step %s are encrypted, and values and streams are stored in the clear', :'step'), 'the progress is refused'
);
select is_empty('select tasker_test.changed_tables()', 'nothing has changed');

select * from finish();
rollback;

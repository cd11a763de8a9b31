begin;
select plan(10);

select tasker_test.freeze();
select tasker.register_namespace('test', p_transport => 'broker');
select tasker_test.remember_rows();
select throws_ok($$ select tasker.publish_steps('nowhere', 'normal') $$, 'TK404', 'namespace "nowhere" does not exist', 'no such namespace');
select throws_ok($$ select tasker.publish_steps(null, 'normal') $$, 'TK404', 'namespace null does not exist', 'null');
prepare refused (text, integer, bigint, integer) as select tasker.publish_steps('test', $1, $2, $3, $4);
select throws_ok($$ execute refused ('limited', 1, 0, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'another lane');
select throws_ok($$ execute refused (null, 1, 0, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'no lane');
select throws_ok($$ execute refused ('normal', 0, 0, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'no rows');
select throws_ok($$ execute refused ('normal', null, 0, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'null rows');
select throws_ok($$ execute refused ('normal', 1001, 0, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'too many rows');
select throws_ok($$ execute refused ('normal', 1, -1, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'less than no message');
select throws_ok($$ execute refused ('normal', 1, 0, 0) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'again at once');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
